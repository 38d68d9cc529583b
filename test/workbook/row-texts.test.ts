/** The text that stands beside a cell in its row. */
import { createCellRegister } from "../../src/cells/cell-register";
import type { Area, CellValue } from "../../src/workbook/port";
import { rowTexts } from "../../src/workbook/row-texts";
import { createVirtualClock } from "../helpers/virtual-clock";
import { createMemoryWorkbook } from "./memory-workbook";

const cell = (row: number, col: number, sheet = "Plan") => ({ sheet, row, col });

function sheetWith(rows: readonly (readonly CellValue[])[]) {
  const workbook = createMemoryWorkbook(["Plan", "Other"]);
  rows.forEach((line, row) => line.forEach((value, col) => workbook.put(cell(row, col), value)));
  return { workbook, cells: createCellRegister({ clock: createVirtualClock() }) };
}

it.each<[string, readonly CellValue[], string]>([
  ["the nearest on the left", ["Store 12", "Cola 1 l", 1234, "00012345678905"], "Cola 1 l"],
  [
    "one on the right, if there is none on the left",
    [1234, "00012345678905", null, null, 7, "Cola", "x"],
    "Cola",
  ],
  [
    "none behind a blank cell on the right",
    [1234, "00012345678905", null, null, 7, 12, null, "Pack size"],
    "",
  ],
  ["no number, date or item in digits", ["Cola", "2026-11-27", "0001 2345", 46_350], "Cola"],
  ["in any script", ["コーラ", 1, 2], "コーラ"],
  ["none, if there is none", [1, 2, 3, null, 4], ""],
  ["no error", ["Cola", "#N/A"], "Cola"],
])("is %s", async (_what, line, text) => {
  expect(await rowTexts(sheetWith([[], line]), [cell(1, 4)])).toEqual([text]);
});

it("is no result of INV, such as the status of the row", async () => {
  const sheet = sheetWith([["Cola", "SUCCESS"]]);
  sheet.cells.begin("Plan!B1", "demo").settled();
  expect(await rowTexts(sheet, [cell(0, 2)])).toEqual(["Cola"]);
});

it("reads rows that are close together at once, each sheet for itself", async () => {
  const sheet = sheetWith([["A"], ["B"], ["C"]]);
  sheet.workbook.put(cell(900, 0), "Far");
  sheet.workbook.put(cell(1, 0, "Other"), "Elsewhere");
  const read: Area[] = [];
  const { contentsOf } = sheet.workbook;
  sheet.workbook.contentsOf = (areas) => {
    read.push(...areas);
    return contentsOf(areas);
  };
  const refs = [cell(900, 3), cell(2, 3), cell(0, 3), cell(0, 5), cell(1, 1, "Other")];
  expect(await rowTexts(sheet, refs)).toEqual(["Far", "C", "A", "A", "Elsewhere"]);
  expect(read.map(({ sheet: name, row, rows }) => [name, row, rows])).toEqual([
    ["Plan", 0, 3],
    ["Plan", 900, 1],
    ["Other", 1, 1],
  ]);
});

it("is empty for cells beyond the limit, and if the sheet can't be read", async () => {
  const sheet = sheetWith([["Cola"]]);
  sheet.workbook.put(cell(900_000, 0), "Far");
  const close = Array.from({ length: 20_000 }, (_, index) => cell(index * 20, 2));
  const texts = await rowTexts(sheet, [...close, cell(900_000, 2)]);
  expect([texts[0], texts.at(-1)]).toEqual(["", "Far"]);
  sheet.workbook.contentsOf = () => Promise.reject(new Error("closed"));
  expect(await rowTexts(sheet, [cell(0, 2)])).toEqual([""]);
});
