/** Planners' lists, sorted by hand: headings stay on top, numbers and notes stay with their items, and undo restores everything. */
import type { Page } from "playwright-core";
import type { CellValue } from "../../src/workbook/port";
import { saved } from "./saved-workbook";
import { eventually } from "./support";
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
  for (const index of items.keys()) {
    const cell = { sheet: scratch, row: index + 1, col: 4 };
    await workbook.port((port, [at, text]) => port.note(at, text), [cell, `note ${index}`] as const);
  }
  await workbook.settled();
}

const read = async (workbook: WorkbookPage, what: "values" | "formulas") =>
  workbook.port(({ read: readArea }, [at, kind]) => readArea(at, kind), [area, what] as const);

interface Resources {
  readonly resources: readonly { readonly name: string; readonly data: string }[];
}

/** Notes of the cells in column E, from top to bottom. */
async function notes(page: Page): Promise<string[]> {
  const { resources } = (await saved(page))?.snapshot as Resources;
  const { data } = resources.find(({ name }) => name === "SHEET_NOTE_PLUGIN")!;
  const { one } = JSON.parse(data) as { one: Record<string, Record<string, { note: string }>> };
  return Object.values(one).map(({ 4: cell }) => cell!.note);
}

test.each([
  ["one cell", 3, 1],
  ["cells of one column", 1, 5],
  ["the whole column", 0, 1000],
])("a list is sorted by %s: headings stay, and rows keep numbers and notes", async (_name, row, rows) => {
  const workbook = await openScratch();
  const { page } = workbook;
  await fill(workbook);
  const [, ...before] = await read(workbook, "values");
  const stock = (cells: readonly CellValue[]) => Number(cells[2]);
  const sorted = [...before].sort((one, other) => stock(one) - stock(other));
  const turned = [...sorted].sort((one, other) => stock(other) - stock(one));
  expect(new Set(before.map(stock)).size).toBeGreaterThan(2);
  const calls = workbook.searches.length;
  const stands = async (rowsNow: readonly (readonly CellValue[])[]) => {
    await workbook.until(async () => {
      const [, ...now] = await read(workbook, "values");
      return JSON.stringify(now) === JSON.stringify(rowsNow);
    });
    await eventually(async () => expect(await notes(page)).toEqual(rowsNow.map((cells) => cells[4])));
  };
  const at = { sheet: scratch, row, col: 2, rows, cols: 1 };
  await workbook.port((port, given) => port.select(given), at);
  await sort(workbook, "Ascending");
  await stands(sorted);
  await sort(workbook, "Descending");
  await stands(turned);
  const formulas = await read(workbook, "formulas");
  expect(formulas[0]).toEqual(headings);
  expect(formulas.slice(1).map((cells) => cells.slice(2, 4))).toEqual(
    items.map((_item, index) => formulasOf(index + 2)),
  );
  expect(workbook.searches).toHaveLength(calls);
  await workbook.undo();
  await stands(sorted);
  await workbook.undo();
  await stands(before);
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
