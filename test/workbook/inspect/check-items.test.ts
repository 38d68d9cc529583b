/** Check items on a sheet: finds the list and its errors, and corrects them in one step. */
import { checkItems, writeFindings } from "../../../src/workbook/inspect/check-items";
import { correct } from "../../../src/workbook/corrections";
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
      "3001 2 padding",
      "3002 1 letter-o",
      "3002 2 letter-o",
      "3003 2 check-digit",
    ]);
    const cellsRead = read.mock.calls.reduce((sum, [area]) => sum + area.rows * area.cols, 0);
    expect(cellsRead).toBeLessThan(20_000);
  });

  it("lists the findings on a new sheet, with texts as texts, and leaves the list as it is", async () => {
    const workbook = planned();
    const before = [...workbook.cells];
    const sheet = await writeFindings(workbook, await checkItems(workbook, wholeColumns));
    const lines = await workbook.read({ sheet, row: 0, col: 0, rows: 5, cols: 4 }, "values");
    expect([sheet, ...lines]).toEqual([
      "Check Plan",
      ["Cell", "Found", "Probably meant", "Reason"],
      ["Plan!C3002", 12345678905, "00012345678905", "Leading zeros are missing"],
      ["Plan!B3003", "1O0", 100, "The letter O in place of zero"],
      ["Plan!C3003", "OOO12345678929", "00012345678929", "The letter O in place of zero"],
      ["Plan!C3004", "00012345678937", "00012345678936", "The check digit is wrong"],
    ]);
    expect([...workbook.cells].slice(0, before.length)).toEqual(before);
  });

  it("makes the sure corrections in one undo step", async () => {
    const workbook = planned();
    const step = jest.spyOn(workbook, "step");
    const { findings } = await checkItems(workbook, wholeColumns);
    const sure = findings.filter((finding) => finding.sure).flatMap(({ correction }) => correction ?? []);
    expect(await correct(workbook, sure)).toEqual({ cells: 3, skipped: 0, overwritten: [] });
    expect(step.mock.calls.map(([, options]) => options)).toEqual([{ asOneUndo: true }]);
    const area = { sheet: "Plan", row: 3_001, col: 1, rows: 3, cols: 2 };
    expect(await workbook.read(area, "values")).toEqual([
      [1234, "00012345678905"],
      [100, "00012345678929"],
      [57, "00012345678937"],
    ]);
  });

  it("checks the list around one selected cell", async () => {
    const list = await checkItems(planned(), [{ sheet: "Plan", row: 40, col: 2, rows: 1, cols: 1 }]);
    expect(list.validated).toBe(3_003);
  });

  it("reports an error that a formula calculates, and doesn't correct it", async () => {
    const workbook = sheetOf([
      ["Store", "GTIN"],
      [1234, 12345678905],
      [1234, 12345678912],
    ]);
    const read = workbook.read.bind(workbook);
    workbook.read = async (area, what) => {
      const values = await read(area, what);
      return what === "formulas" ? values.map(() => ["=A1"]) : values;
    };
    const { findings } = await checkItems(workbook, [{ sheet: "Plan", row: 0, col: 0, rows: 3, cols: 2 }]);
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.flatMap(({ correction }) => correction ?? [])).toEqual([]);
  });

  it("corrects no cell if somebody inserts a row during the check, because another row is there now", async () => {
    const workbook = sheetOf([
      ["Store", "GTIN"],
      [1234, "00012345678905"],
      [2045, "OOO12345678912"],
    ]);
    const read = workbook.read.bind(workbook);
    workbook.read = (area, what) => read(what === "formulas" ? { ...area, row: area.row - 1 } : area, what);
    const { findings } = await checkItems(workbook, [{ sheet: "Plan", row: 0, col: 0, rows: 3, cols: 2 }]);
    expect(findings).toMatchObject([{ fault: "letter-o", correction: null }]);
  });

  it("rejects without a list", async () => {
    const workbook = sheetOf([["Plan for spring"], ["Flakes"]]);
    await expect(checkItems(workbook, wholeColumns)).rejects.toMatchObject({ code: "not-possible" });
  });
});
