/**
 * Changes of a refresh in the browser workbook: each cell with its store, item, both values and the text of its row, by mouse and
 * by keyboard, in both themes, and in a German system; while somebody inserts a row.
 */
import type { Page } from "playwright-core";
import { button, openTab, tabTo } from "./pane-parts";
import { eventually, isCutOff, problemsInBothThemes } from "./support";
import { narrow, openScratch, scratch, type WorkbookPage } from "./workbook-page";

const gtins = ["00012345678905", "00012345679100", "00012345678912"];
const names = [
  "Cola 1 l",
  "Water 6 x 1.5 l",
  "Lemonade, sugar-free, in the large bottle for families and offices",
];

interface Gate {
  /** Added to every quantity. */
  raisedBy: number;
  isDown: boolean;
  asked: number;
  /** Answers wait for this. */
  until: Promise<void>;
}

async function openGate(page: Page): Promise<Gate> {
  const gate: Gate = { raisedBy: 0, isDown: false, asked: 0, until: Promise.resolve() };
  await page.route("**/search-items", async (route) => {
    gate.asked += 1;
    if (gate.isDown) return route.fulfill({ status: 500, json: { message: "broken" } });
    const response = await route.fetch();
    const text = await response.text();
    await gate.until;
    const raised = (digits: string): string => String(Number(digits) + gate.raisedBy);
    return route.fulfill({
      response,
      body: text.replace(
        /("quantity":\s*"?)(\d+)/g,
        (_all, start: string, digits: string) => start + raised(digits),
      ),
    });
  });
  return gate;
}

/** Names, stores, items and their quantities in rows, a grid of the same items in F, and a cell without an answer in H. */
async function openPlan(options = {}): Promise<{ workbook: WorkbookPage; gate: Gate }> {
  const workbook = await openScratch(options);
  const gate = await openGate(workbook.page);
  const rows = gtins.map((gtin, row) => [
    names[row] ?? "",
    1234,
    gtin,
    `=INV.QTY(B${row + 1},C${row + 1})`,
    null,
    row === 0 ? "=INV.QTY(B1:B3,C1:C3)" : null,
  ]);
  await workbook.write([scratch, 0, 0], rows);
  await workbook.settled();
  gate.isDown = true;
  await workbook.write([scratch, 0, 7], [['=INV.QTY(1301,"00012345678905")']]);
  await workbook.settled();
  gate.isDown = false;
  return { workbook, gate };
}

async function refresh({ pane }: WorkbookPage): Promise<void> {
  await openTab(pane(), "Refresh");
  await pane().getByLabel("This sheet").check();
  await pane().getByRole("button", { name: "Refresh", exact: true }).click();
}

const list = (workbook: WorkbookPage, name: string) =>
  workbook.pane().getByRole("list", { name, exact: true }).locator("> li");

it("lists each cell with both values in its format, store, item and the text of its row, and names cells that had no value", async () => {
  const { workbook, gate } = await openPlan();
  const { page } = workbook;
  const pane = workbook.pane();
  await narrow(pane);
  await workbook.port((port, area) => port.format(area, { numberFormat: "0.0" }), {
    ...{ sheet: scratch, row: 2, col: 3, rows: 1, cols: 1 },
  });
  const before = (await workbook.values(scratch, 0, 3, 3, 1)).map(([value]) => Number(value));
  gate.raisedBy = 5_000;
  await refresh(workbook);
  await pane.locator("summary", { hasText: /: 4 cells changed, 1 had no value before\.$/ }).click();
  const changes = list(workbook, "Changes");
  const shown = (raisedBy: number, index: number): string => {
    const value = Number(before[index]) + raisedBy;
    return index === 2 ? value.toFixed(1) : value.toLocaleString("en-US");
  };
  const row = (cell: string, index: number) =>
    expect.stringMatching(
      new RegExp(
        `^${scratch}!${cell}\\s+before\\s+${shown(0, index)}\\s*→\\s*after\\s+${shown(5_000, index)}\\s+` +
          `${(names[index] ?? "").slice(0, 60)}…?\\s+store 1234, item ${gtins[index] ?? ""}$`,
      ),
    ) as string;
  await eventually(async () => expect(await changes.nth(3).innerText()).toContain("Lemonade"));
  const texts = await changes.allInnerTexts();
  expect(texts.filter((text) => !text.includes("F1"))).toEqual([row("D1", 0), row("D2", 1), row("D3", 2)]);

  await pane.getByText("1 cell had no value before").click();
  await list(workbook, "New values").getByText("#VALUE!").waitFor();
  await changes.filter({ hasText: "3 of 3 values" }).getByText("Values", { exact: true }).click();
  const values = list(workbook, `Values of ${scratch}!F1`);
  await eventually(async () => expect(await values.nth(2).innerText()).toContain("Lemonade"));
  expect(await values.nth(1).innerText()).toMatch(/^Scratch!F2[^]*Water 6 x 1\.5 l[^]*item 00012345679100$/);
  expect(await problemsInBothThemes(pane)).toEqual([]);
  expect(await isCutOff(pane)).toBe(false);

  await tabTo(pane, pane.getByRole("button", { name: `${scratch}!D2` }));
  await page.keyboard.press("Enter");
  await eventually(async () => expect(await selection(workbook)).toMatchObject([{ row: 1, col: 3 }]));

  await button(pane, "To a new sheet").click();
  await pane.getByText(/The list is on the new sheet "Changes /).waitFor();
  const sheet = (await workbook.sheetNames()).at(-1) ?? "";
  const written = await workbook.values(sheet, 0, 0, 8, 6);
  expect(written[0]).toEqual(["Cell", "Store", "Item", "Text in the row", "Before", "After"]);
  const after = Number(before[1]) + 5_000;
  expect(written).toContainEqual([`${scratch}!D2`, 1234, gtins[1], names[1], before[1], after]);
  expect(written.map(([, , , text]) => text).filter((text) => text === names[2])).toHaveLength(2);
  expect(workbook.complaints.filter((each) => !each.includes("500"))).toEqual([]);
});

it("leaves out a sheet on which somebody inserts a row meanwhile, and says so, in a German system", async () => {
  const { workbook, gate } = await openPlan({ locale: "de-DE", theme: "dark" });
  const pane = workbook.pane();
  gate.raisedBy = 5_000;
  let release = (): void => undefined;
  gate.until = new Promise((resolve) => (release = resolve));
  gate.asked = 0;
  await refresh(workbook);
  await eventually(() => expect(gate.asked).toBeGreaterThan(0));
  await insertRowAbove(workbook, 2);
  release();
  await pane.locator("summary", { hasText: /no refreshed cell changed, 1 sheet not compared\.$/ }).click();
  await pane
    .getByText(`Not compared, because somebody moved cells or renamed the sheet meanwhile: ${scratch}.`)
    .waitFor();
  expect(await problemsInBothThemes(pane)).toEqual([]);
});

async function insertRowAbove(workbook: WorkbookPage, row: number): Promise<void> {
  const { page } = workbook;
  await workbook.select(scratch, row, 0);
  const grid = (await page.locator("canvas[id^='univer-sheet-main-canvas']").boundingBox())!;
  await page.mouse.click(grid.x + 46 + 40, grid.y + 20 + row * 24 + 12, { button: "right" });
  await page.getByRole("button", { name: "Insert rows above" }).click({ position: { x: 12, y: 8 } });
}

function selection(workbook: WorkbookPage): Promise<unknown> {
  return workbook.port(
    (port) => new Promise<unknown>((resolve) => void port.onSelection((areas) => resolve(areas))),
    null,
  );
}
