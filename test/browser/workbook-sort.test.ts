/** Lists as planners have them, sorted by hand: headings stay above, numbers beside their items, and one undo brings all back. */
import type { CellValue } from "../../src/workbook/port";
import { openScratch, scratch, type WorkbookPage } from "./workbook-page";

const area = { sheet: scratch, row: 0, col: 0, rows: 6, cols: 5 };
const items = ["00012345678905", "00012345678912", "00012345678929", "00012345678936", "00012345678943"];
const headings = ["Store", "GTIN", "Stock", "Double", "Note"];
const formulasOf = (row: number) => [`=INV.QTY(A${row},B${row})`, `=C${row}*2`];

async function sort(workbook: WorkbookPage, order: "Ascending" | "Descending"): Promise<void> {
  await workbook.page.locator("[data-u-command='sheet.menu.sheets-sort']:visible").first().click();
  await workbook.page.getByText(order).first().click();
}

async function fill(workbook: WorkbookPage): Promise<void> {
  const rows = items.map((item, index) => [1234, item, ...formulasOf(index + 2), `note ${index}`]);
  await workbook.port((port, [at, cells]) => port.write(at, cells), [area, [headings, ...rows]] as const);
  await workbook.settled();
}

const read = async (workbook: WorkbookPage, what: "values" | "formulas") =>
  workbook.port(({ read: readArea }, [at, kind]) => readArea(at, kind), [area, what] as const);

test.each([
  ["one cell", 3, 1],
  ["cells of one column", 1, 5],
  ["the whole column", 0, 1000],
])("a list is sorted by %s: headings stay, and each row keeps its numbers", async (_name, row, rows) => {
  const workbook = await openScratch();
  const { page } = workbook;
  await fill(workbook);
  const [, ...before] = await read(workbook, "values");
  const stock = (one: readonly CellValue[]) => Number(one[2]);
  const sorted = [...before].sort((one, other) => stock(one) - stock(other));
  expect(new Set(before.map(stock)).size).toBeGreaterThan(2);
  const calls = workbook.searches.length;
  const at = { sheet: scratch, row, col: 2, rows, cols: 1 };
  await workbook.port((port, given) => port.select(given), at);
  await sort(workbook, "Ascending");
  await workbook.until(async () => {
    const [, ...now] = await read(workbook, "values");
    return JSON.stringify(now) === JSON.stringify(sorted);
  });
  const formulas = await read(workbook, "formulas");
  expect(formulas[0]).toEqual(headings);
  expect(formulas.slice(1).map((cells) => cells.slice(2, 4))).toEqual(
    items.map((_item, index) => formulasOf(index + 2)),
  );
  expect(workbook.searches).toHaveLength(calls);
  await page.evaluate(() => window.invHost?.focusGrid());
  await page.keyboard.press("Control+z");
  await workbook.until(async () => {
    const [, ...now] = await read(workbook, "values");
    return JSON.stringify(now) === JSON.stringify(before);
  });
  expect(workbook.complaints).toEqual([]);
  await page.close();
});

test("whether one column alone is meant is asked in a dialog, of which the page's policy refuses nothing", async () => {
  const workbook = await openScratch();
  const { page } = workbook;
  await fill(workbook);
  await workbook.port((port, at) => port.select(at), { ...area, row: 1, col: 2, rows: 1, cols: 1 });
  await page.locator("[data-u-command='sheet.menu.sheets-sort']:visible").first().click();
  await page.getByText("Custom Sort").first().click();
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await dialog.getByText("Cancel").click();
  await dialog.waitFor({ state: "detached" });
  expect(workbook.complaints).toEqual([]);
  await page.close();
});
