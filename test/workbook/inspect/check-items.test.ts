/** Check items on a sheet: finds the list and its errors, and lists them. */
import { checkItems, writeFindings } from "../../../src/workbook/inspect/check-items";
import type { CellValue, SelectedAreas } from "../../../src/workbook/port";
import { createMemoryWorkbook } from "../memory-workbook";

const wholeColumns: SelectedAreas = [{ sheet: "Plan", row: 0, col: 1, rows: 1_048_576, cols: 2 }];

function sheetOf(rows: readonly (readonly CellValue[])[]) {
  const workbook = createMemoryWorkbook(["Plan"]);
  rows.forEach((line, row) => line.forEach((value, col) => workbook.put({ sheet: "Plan", row, col }, value)));
  return workbook;
}

describe("checking a list", () => {
  const wrong: readonly CellValue[][] = [
    [1234, 12345678905],
    ["1O0", "OOO12345678929"],
    [57, "00012345678937"],
  ];
  const right = Array.from({ length: 3_000 }, () => [1234, "00012345678912"]);
  const planned = () =>
    sheetOf([["Week", "Store", "GTIN"], ...[...right, ...wrong].map((row) => ["2026-47", ...row])]);

  it("finds errors in whole columns with their cells, and reads no further than the list", async () => {
    const workbook = planned();
    const read = jest.spyOn(workbook, "read");
    const list = await checkItems(workbook, wholeColumns);
    expect(list).toMatchObject({ storeCol: 1, itemCol: 2, itemType: "gtin", validated: 3_003 });
    expect(list.findings.map(({ cell, fault }) => `${cell.row} ${cell.col} ${fault}`)).toEqual([
      "3002 1 refused",
      "3002 2 refused",
      "3003 2 check-digit",
    ]);
    const cellsRead = read.mock.calls.reduce((sum, [area]) => sum + area.rows * area.cols, 0);
    expect(cellsRead).toBeLessThan(20_000);
  });

  it("lists the findings on a new sheet, with texts as texts, and leaves the list as it is", async () => {
    const workbook = planned();
    const before = [...workbook.cells];
    const sheet = await writeFindings(workbook, await checkItems(workbook, wholeColumns));
    const lines = await workbook.read({ sheet, row: 0, col: 0, rows: 4, cols: 3 }, "values");
    expect([sheet, ...lines]).toEqual([
      "Check Plan",
      ["Cell", "Found", "Reason"],
      ["Plan!B3003", "1O0", "Neither a store nor an item"],
      ["Plan!C3003", "OOO12345678929", "Neither a store nor an item"],
      ["Plan!C3004", "00012345678937", "The check digit is wrong"],
    ]);
    expect([...workbook.cells].slice(0, before.length)).toEqual(before);
  });

  it("checks the list around one selected cell", async () => {
    const list = await checkItems(planned(), [{ sheet: "Plan", row: 40, col: 2, rows: 1, cols: 1 }]);
    expect(list.validated).toBe(3_003);
  });

  it("rejects without a list", async () => {
    const workbook = sheetOf([["Plan for spring"], ["Flakes"]]);
    await expect(checkItems(workbook, wholeColumns)).rejects.toMatchObject({ code: "not-possible" });
  });
});
