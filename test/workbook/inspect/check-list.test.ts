/** Check a list: reports findings with their cells, and lists them on a sheet of their own. */
import { type CheckedList, checkList, writeFindings } from "../../../src/workbook/inspect/check-list";
import type { CellValue } from "../../../src/workbook/port";
import { cellsOfText, partOf, readAgain, selectedCells } from "../../../src/workbook/templates/rows";
import { createVirtualClock } from "../../helpers/virtual-clock";
import { createMemoryWorkbook, type MemoryWorkbook } from "../memory-workbook";

function sheetOf(rows: readonly (readonly CellValue[])[]): MemoryWorkbook {
  const workbook = createMemoryWorkbook(["Plan"]);
  rows.forEach((line, row) =>
    line.forEach((value, col) => workbook.put({ sheet: "Plan", row: row + 2, col: col + 1 }, value)),
  );
  return workbook;
}

const planned = [
  ["Store", "GTIN"],
  [1234, "00012345678905"],
  ["1O0", "OOO12345678929"],
  ["057", "00012345678937"],
];

async function givenPart(workbook: MemoryWorkbook) {
  await workbook.select({ sheet: "Plan", row: 2, col: 1, rows: 1_048_574, cols: 2 });
  return partOf(await selectedCells(workbook, createVirtualClock()));
}

const placesOf = ({ findings }: CheckedList) => findings.map(({ place, fault }) => `${place} ${fault}`);

it("names the cells, below and beside blanks", async () => {
  const list = checkList(await givenPart(sheetOf(planned)));
  expect(list.checked).toEqual({ store: 3, item: 3 });
  expect(placesOf(list)).toEqual(["B5 refused", "C5 refused", "B6 store-spelling", "C6 check-digit"]);
});

it("names the lines of a typed list", () => {
  const list = checkList(partOf(cellsOfText("GTIN\n00012345678905\n00012345678906")));
  expect(list).toMatchObject({ sheet: null, checked: { store: null, item: 2 } });
  expect(placesOf(list)).toEqual(["line 3 check-digit"]);
});

it("checks the columns that a person has chosen, also after the cells are read again", async () => {
  const workbook = sheetOf(planned);
  const part = await givenPart(workbook);
  const chosen = { ...part, columns: { ...part.columns, store: null, item: 0 } };
  workbook.put({ sheet: "Plan", row: 4, col: 1 }, "00012345678911");
  const list = checkList(await readAgain(workbook, chosen));
  expect(list.checked).toEqual({ store: null, item: 3 });
  expect(placesOf(list)).toEqual(["B4 refused", "B5 check-digit", "B6 refused"]);
});

it("lists the findings on a new sheet, with texts as texts, and leaves the list as it is", async () => {
  const workbook = sheetOf(planned);
  const before = [...workbook.cells];
  const sheet = await writeFindings(workbook, checkList(await givenPart(workbook)));
  const lines = await workbook.read({ sheet, row: 0, col: 0, rows: 5, cols: 3 }, "values");
  expect([sheet, ...lines]).toEqual([
    "Check Plan",
    ["Cell", "Found", "What is wrong"],
    ["Plan!B5", "1O0", "Refused by INV"],
    ["Plan!C5", "OOO12345678929", "Refused by INV"],
    ["Plan!B6", "057", "A store with zeros or blanks around it, which a lookup doesn't find"],
    ["Plan!C6", "00012345678937", "The check digit doesn't fit"],
  ]);
  expect([...workbook.cells].slice(0, before.length)).toEqual(before);
});
