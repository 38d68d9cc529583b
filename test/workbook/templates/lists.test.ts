/** Lists where they are: which names are lists, and what they contain. */
import { readEntries, readLists, readNamesBeside } from "../../../src/workbook/templates/lists";
import type { CellValue } from "../../../src/workbook/port";
import { createMemoryWorkbook, type MemoryWorkbook } from "../memory-workbook";

const gtins = ["00012345678905", "00012345678912"];

function sheetOf(cells: readonly (readonly CellValue[])[]): MemoryWorkbook {
  const workbook = createMemoryWorkbook(["Plan", "Other"]);
  cells.forEach((line, row) =>
    line.forEach((value, col) => workbook.put({ sheet: "Plan", row, col }, value)),
  );
  return workbook;
}

const plan = () =>
  sheetOf([
    ["Week 47", null, null],
    ["Store", "GTIN", "Item name"],
    [1234, gtins[0]!, "Oat drink"],
    [57, gtins[1]!, "=1+1"],
    [null, null, null],
    ["12A", null, null],
  ]);

function define(workbook: MemoryWorkbook, name: string, formula: string): void {
  workbook.definedNames.push({ name, sheet: null, formula });
}

test("names of one column or row are lists; names of a cell, a block, a value and a gone sheet are not", async () => {
  const workbook = plan();
  define(workbook, "Whole", "=Plan!$B:$B");
  define(workbook, "Fixed", "=Plan!$A$3:$A$4");
  define(workbook, "Across", "=Plan!$A$2:$C$2");
  define(workbook, "HQ", "=Plan!$A$3");
  define(workbook, "Block", "=Plan!$A$3:$B$4");
  define(workbook, "Rate", "=1.19");
  define(workbook, "Gone", "=Deleted!$A$1:$A$9");
  define(workbook, "_inv_1", "=Plan!$A$3:$A$4");
  workbook.definedNames.push({ name: "Local", sheet: "Plan", formula: "=Plan!$A$3:$A$4" });
  expect((await readLists(workbook)).map(({ text, kind }) => `${text} ${kind}`)).toEqual([
    "Whole items",
    "Fixed stores",
    "Across null",
  ]);
});

test("the columns of a Table that contain stores and items are lists, and quantities are not", async () => {
  const table = [
    ["Store", "GTIN", "On hand"],
    [1000, gtins[0]!, 120],
    [1001, gtins[1]!, 75],
  ];
  const workbook = sheetOf(table);
  await workbook.addTable({ sheet: "Plan", row: 0, col: 0, rows: 3, cols: 3 }, "Planning");
  expect((await readLists(workbook)).map(({ text, kind }) => `${text} ${kind}`)).toEqual([
    "Planning[Store] stores",
    "Planning[GTIN] items",
  ]);
});

test("entries are those of the list's cells, also if somebody moves them during the read", async () => {
  const workbook = plan();
  define(workbook, "Fixed", "=Plan!$A$3:$A$4");
  const { read } = workbook;
  let isFirst = true;
  workbook.read = async (area, what) => {
    if (isFirst) workbook.definedNames[0] = { name: "Fixed", sheet: null, formula: "=Other!$A$1:$A$2" };
    isFirst = false;
    return read(area, what);
  };
  workbook.put({ sheet: "Other", row: 0, col: 0 }, 4000);
  expect((await readEntries(workbook, "Fixed"))?.entries[0]).toBe(4000);
});

test("names of items come from the column beside a list, if its heading says so", async () => {
  const workbook = plan();
  define(workbook, "Items_Top", "=Plan!$B$3:$B$4");
  expect([...(await readNamesBeside(workbook))]).toEqual([
    [gtins[0], "Oat drink"],
    [gtins[1], "=1+1"],
  ]);
});
