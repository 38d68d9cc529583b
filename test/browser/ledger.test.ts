/**
 * Freezing and thawing, with a row inserted by the grid's own menu and a look at the frozen formulas in between. Formulas
 * go to the new places of their cells. The pane names each formula that can't go back, with the reason, and lets a
 * keyboard user drop it. Times are shown as times.
 */
import type { Frame } from "playwright-core";
import { button, openTab } from "./pane-parts";
import { problemsInBothThemes } from "./support";
import { openScratch, scratch, type WorkbookPage } from "./workbook-page";

/** Columns: store, GTIN, quantity, time. F1 spills a history with its times. */
async function plan(): Promise<WorkbookPage> {
  const workbook = await openScratch();
  const rows = ["00012345678905", "00012345678912", "00012345678929"].map((item, row) => [
    ...[1234, item, `=INV.QTY(A${row + 1},B${row + 1})`, `=INV.UPDATED(A${row + 1},B${row + 1})`],
  ]);
  await workbook.write([scratch, 0, 0], rows);
  await workbook.write([scratch, 0, 5], [["=INV.EVENTS(A1,B1)"]]);
  await workbook.select(scratch, 0, 0);
  await workbook.settled();
  return workbook;
}

/** Right-clicks the first row's header. */
async function insertRowAbove({ page }: WorkbookPage): Promise<void> {
  const head = await page.evaluate(() => {
    const area = (canvas: Element) => canvas.clientWidth * canvas.clientHeight;
    const [grid] = [...document.querySelectorAll("canvas")].sort((a, b) => area(b) - area(a));
    const { left, top } = grid!.getBoundingClientRect();
    return { x: left + 20, y: top + 32 };
  });
  await page.mouse.click(head.x, head.y, { button: "right" });
  // A field for the number of rows is left of the words. The menu moves while it opens; a click waits until it stops.
  const entry = page.getByText("rows above");
  const { width, height } = (await entry.boundingBox())!;
  await entry.click({ position: { x: width - 20, y: height / 2 } });
}

const ledger = (pane: Frame) => pane.locator("details", { hasText: "Frozen formulas" });

test("what was frozen is found again after a row was inserted", async () => {
  const workbook = await plan();
  const { page } = workbook;
  const pane = workbook.pane();
  const numbers = await workbook.values(scratch, 0, 2, 3, 1);
  const [[updated]] = (await workbook.texts(scratch, 0, 3, 1, 1)) as [[string]];
  await openTab(pane, "Build", "Freeze");
  await pane.getByRole("radio", { name: "This sheet" }).check();
  await button(pane, "Freeze").click();
  await pane.getByText("7 cells frozen.").waitFor();
  // A spilled time also has its number format.
  expect(await workbook.texts(scratch, 0, 3, 1, 1)).toEqual([[updated]]);
  const [, [first]] = (await workbook.texts(scratch, 0, 5, 2, 1)) as [unknown, [string]];
  expect([updated, first]).toEqual(Array(2).fill(expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)));

  await insertRowAbove(workbook);
  await workbook.until(async () => (await workbook.values(scratch, 1, 2, 1, 1))[0]?.[0] === numbers[0]?.[0]);
  await workbook.write([scratch, 2, 2], [[99]]);
  await ledger(pane).locator("summary").click();
  await ledger(pane).getByText("7 formulas. 1 of them can't be restored now.").waitFor();
  await ledger(pane).getByText("The value was changed after freezing.").waitFor();
  await ledger(pane).scrollIntoViewIfNeeded();

  await button(pane, "Thaw").click();
  await pane.getByText(/6 cells thawed\. 1 left as they are/).waitFor();
  expect(await workbook.formulas(scratch, 1, 2, 3, 2)).toEqual([
    ["=INV.QTY(A2,B2)", "=INV.UPDATED(A2,B2)"],
    [99, "=INV.UPDATED(A3,B3)"],
    ["=INV.QTY(A4,B4)", "=INV.UPDATED(A4,B4)"],
  ]);

  await button(pane, "Drop C3").focus();
  await page.keyboard.press("Enter");
  await pane.getByText("Drop the formula =INV.QTY(A2,B2) for good?").waitFor();
  expect(await problemsInBothThemes(pane)).toEqual([]);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await pane.getByText("1 formula dropped.").waitFor();
  await pane.getByText("Nothing is frozen in this workbook.").waitFor();
  expect((await workbook.sheetNames()).filter((name) => name.startsWith("_inv"))).toEqual([]);
  expect(workbook.complaints).toEqual([]);
});

test("a freeze that was undone and done again is thawed, and its sheet is hidden", async () => {
  const workbook = await openScratch();
  const { page } = workbook;
  const formula = '=INV.QTY(1234,"00012345678905")';
  await workbook.write([scratch, 0, 0], [[formula]]);
  await workbook.settled();
  const pane = workbook.pane();
  await openTab(pane, "Build", "Freeze");
  await pane.getByRole("radio", { name: "This sheet" }).check();
  await button(pane, "Freeze").click();
  await pane.getByText("1 cell frozen.").waitFor();
  const isFrozen = async () => (await workbook.formulas(scratch, 0, 0))[0]?.[0] !== formula;
  await workbook.undo();
  await workbook.until(async () => !(await isFrozen()));
  await page.keyboard.press("ControlOrMeta+y");
  await workbook.until(isFrozen);
  await button(pane, "Thaw").click();
  await pane.getByText("1 cell thawed.").waitFor();
  expect(await workbook.formulas(scratch, 0, 0)).toEqual([[formula]]);
  expect(await workbook.sheetNames()).toEqual([scratch]);
  expect(workbook.complaints).toEqual([]);
});
