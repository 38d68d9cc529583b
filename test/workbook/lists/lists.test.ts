/** Lists where they are: which names and columns are lists, what they contain, and how a column gets its name. */
import { nameColumn } from "../../../src/workbook/lists/name-column";
import { readEntries, readLists, readNamesBeside } from "../../../src/workbook/lists/lists";
import type { CellValue } from "../../../src/workbook/port";
import { createMemoryWorkbook, type MemoryWorkbook } from "../memory-workbook";
import { addList } from "./list-column";

const gtins = ["00012345678905", "00012345678912"];
const one = (row: number, col: number) => ({ sheet: "Plan", row, col, rows: 1, cols: 1 });

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

test("a column becomes a list where it is, without a change of any cell", async () => {
  const workbook = plan();
  const before = [...workbook.cells];
  const named = await nameColumn(workbook, { selected: one(3, 0), name: "Stores_North" });
  expect(named).toMatchObject({ kind: "stores", entries: 3, oddRows: [6], heading: { row: 1, col: 0 } });
  expect([...workbook.cells]).toEqual(before);
  expect(workbook.definedNames).toEqual([
    {
      name: "Stores_North",
      sheet: null,
      formula:
        '=UNIQUE(FILTER(Plan!$A$2:$A$10001,NOT(ISBLANK(Plan!$A$2:$A$10001))*(ROW(Plan!$A$2:$A$10001)>ROW(Plan!$A$2)),""))',
    },
  ]);
  workbook.put({ sheet: "Plan", row: 6, col: 0 }, 100);
  expect((await readEntries(workbook, "Stores_North"))?.entries.filter((each) => each !== null)).toEqual([
    1234,
    57,
    "12A",
    100,
  ]);
});

test("selected cells begin the list at their first entry", async () => {
  const workbook = sheetOf([["Store"], [1234], [57], [null], ["Region South"], [100], [101], [100]]);
  const named = await nameColumn(workbook, { selected: { ...one(4, 0), rows: 4 }, name: "Stores_South" });
  expect(named).toMatchObject({ entries: 2, heading: { row: 4 } });
});

test.each<[string, readonly (readonly CellValue[])[], string, RegExp]>([
  ["words", [["Name"], ["Oat drink"]], "Names_1", /neither stores nor items/],
  ["no row above the list", [[1234], [57]], "Stores_1", /no row above it/],
  [
    "a name that Excel refuses",
    [["Store"], [1234]],
    "TOP25",
    /address of a cell\. You can use Stores_TOP25\./,
  ],
  ["a sheet's name", [["Store"], [1234]], "Other", /already uses the name "Other"/],
])("refuses %s, and adds no name", async (_, cells, name, reason) => {
  const workbook = sheetOf(cells);
  await expect(nameColumn(workbook, { selected: one(0, 0), name })).rejects.toThrow(reason);
  expect(workbook.definedNames).toEqual([]);
});

test("a row that somebody inserts before the name is there leaves no name over other cells", async () => {
  const workbook = plan();
  const add = workbook.addName;
  workbook.addName = async (name, formula) => {
    workbook.put({ sheet: "Plan", row: 1, col: 0 }, "Week 48");
    workbook.put({ sheet: "Plan", row: 2, col: 0 }, "Store");
    await add(name, formula);
  };
  await expect(nameColumn(workbook, { selected: one(3, 0), name: "Stores_North" })).rejects.toThrow(
    /changed the sheet/,
  );
  expect(workbook.definedNames).toEqual([]);
});

test("names of one column or row are lists; names of a cell, a block, a value and a gone sheet are not", async () => {
  const workbook = plan();
  await addList(workbook, { name: "Grows", entries: gtins, heading: { sheet: "Other", row: 0, col: 0 } });
  await workbook.addName("Fixed", "=Plan!$A$3:$A$4");
  await workbook.addName("Across", "=Plan!$A$2:$C$2");
  await workbook.addName("HQ", "=Plan!$A$3");
  await workbook.addName("Block", "=Plan!$A$3:$B$4");
  await workbook.addName("Rate", "=1.19");
  await workbook.addName("Gone", "=Deleted!$A$1:$A$9");
  await workbook.addName("_inv_1", "=Plan!$A$3:$A$4");
  workbook.definedNames.push({ name: "Local", sheet: "Plan", formula: "=Plan!$A$3:$A$4" });
  expect((await readLists(workbook)).map(({ text, kind }) => `${text} ${kind}`)).toEqual([
    "Grows items",
    "Fixed stores",
    "Across null",
  ]);
});

test("entries are those of the list's cells, also if somebody moves them during the read", async () => {
  const workbook = plan();
  await workbook.addName("Fixed", "=Plan!$A$3:$A$4");
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
  await nameColumn(workbook, { selected: one(2, 1), name: "Items_Top" });
  await nameColumn(workbook, { selected: one(2, 0), name: "Stores_North" });
  expect([...(await readNamesBeside(workbook))]).toEqual([
    [gtins[0], "Oat drink"],
    [gtins[1], "=1+1"],
  ]);
});
