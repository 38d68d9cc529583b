/** What INV does with the selected cells after an undo has made the sheet smaller than the selection. */
import { openTab } from "./pane-parts";
import { openScratch, scratch } from "./workbook-page";

const formula = '=INV.QTY(1234,"00012345678905")';

test.each(["en-US", "de-DE"] as const)(
  "pastes, reads and inserts at a column that was selected before an inserted row was undone, on a system in %s",
  async (locale) => {
    const workbook = await openScratch({ locale });
    const { page } = workbook;
    await workbook.write([scratch, 0, 0], [["one", formula]]);
    await workbook.select(scratch, 0, 0);
    await workbook.settled();
    const grid = (await page.locator("canvas[id^='univer-sheet-main-canvas']").boundingBox())!;
    await page.mouse.click(grid.x + 20, grid.y + 30, { button: "right" });
    await page.getByRole("button", { name: "Insert rows above" }).click();
    await workbook.until(async () => (await workbook.values(scratch, 1, 0))[0]?.[0] === "one");
    await page.mouse.click(grid.x + 46 + 88 + 44, grid.y + 8);
    const selection = (text: RegExp) =>
      workbook.until(async () => text.test((await page.textContent("#selection")) ?? ""));
    await selection(/^B1 to B1001: blank$/);
    await workbook.undo();
    await workbook.until(async () => (await workbook.values(scratch, 0, 0))[0]?.[0] === "one");
    await selection(/^B1 to B1000: \d+$/);
    const selected = () => workbook.port((port) => new Promise((resolve) => port.onSelection(resolve)), null);
    expect(await selected()).toEqual([{ sheet: scratch, row: 0, col: 1, rows: 1_000, cols: 1 }]);
    await openTab(workbook.pane(), "Cell");
    await workbook.pane().getByText("Scratch!B1").first().waitFor();
    await workbook.paste({ text: locale === "de-DE" ? "1,5" : "1.5" });
    await workbook.until(async () => (await workbook.values(scratch, 999, 1))[0]?.[0] === 1.5);
    await workbook.undo();
    await workbook.until(async () => (await workbook.values(scratch, 999, 1))[0]?.[0] === null);
    await page.mouse.click(grid.x + 46 + 88 + 44, grid.y + 8, { button: "right" });
    await page.getByRole("button", { name: "Insert columns left" }).click();
    await workbook.until(async () => (await workbook.formulas(scratch, 0, 2))[0]?.[0] === formula);
    expect(workbook.complaints).toEqual([]);
  },
);
