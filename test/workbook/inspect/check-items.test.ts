/** Check items on a sheet: finds the list and its errors, and corrects them in one step. */
import { checkItems } from "../../../src/workbook/inspect/check-items";
import { correct } from "../../../src/workbook/corrections";
import type { CellValue, SelectedAreas } from "../../../src/workbook/port";
import { plantFiftyErrors } from "../../domain/validator/planted-errors";
import { createMemoryWorkbook } from "../memory-workbook";

const wholeColumns: SelectedAreas = [{ sheet: "Plan", row: 0, col: 1, rows: 1_048_576, cols: 2 }];

function sheetOf(rows: readonly (readonly CellValue[])[]) {
  const workbook = createMemoryWorkbook(["Plan"]);
  rows.forEach((line, row) => line.forEach((value, col) => workbook.put({ sheet: "Plan", row, col }, value)));
  return workbook;
}

describe("checking a list", () => {
  const { rows, meant, errors } = plantFiftyErrors();
  const planted = () =>
    sheetOf([["Week", "Store", "GTIN"], ...rows.map(({ store, item }) => ["2026-47", store, item])]);

  it("finds the fifty errors in whole columns with their cells, and reads no further than the list", async () => {
    const workbook = planted();
    const read = jest.spyOn(workbook, "read");
    const list = await checkItems(workbook, wholeColumns);
    expect(list).toMatchObject({ storeCol: 1, itemCol: 2, itemType: "gtin", validated: rows.length });
    const found = list.findings.map(({ cell, fault }) => `${cell.row} ${cell.col} ${fault}`).sort();
    expect(found).toEqual(
      errors.map(({ row, field, fault }) => `${row + 1} ${field === "store" ? 1 : 2} ${fault}`).sort(),
    );
    const cellsRead = read.mock.calls.reduce((sum, [area]) => sum + area.rows * area.cols, 0);
    expect(cellsRead).toBeLessThan(10_000);
  });

  it("makes the sure corrections in one undo step", async () => {
    const workbook = planted();
    const step = jest.spyOn(workbook, "step");
    const { findings } = await checkItems(workbook, wholeColumns);
    const sure = findings.filter((finding) => finding.sure).flatMap(({ corrections }) => corrections);
    expect(await correct(workbook, sure)).toEqual({ cells: 35, skipped: 0, overwritten: [] });
    expect(step.mock.calls.map(([, options]) => options)).toEqual([{ asOneUndo: true }]);
    const after = await workbook.read(
      { sheet: "Plan", row: 1, col: 1, rows: rows.length, cols: 2 },
      "values",
    );
    const wrong = after.filter(([store, item], row) => {
      const now = JSON.stringify([store, item]);
      const { store: meantStore, item: meantItem } = meant[row] ?? {};
      const { store: wasStore, item: wasItem } = rows[row] ?? {};
      return now !== JSON.stringify([meantStore, meantItem]) && now !== JSON.stringify([wasStore, wasItem]);
    });
    expect(wrong).toEqual([]);
  });

  it("checks the list around one selected cell", async () => {
    const list = await checkItems(planted(), [{ sheet: "Plan", row: 40, col: 2, rows: 1, cols: 1 }]);
    expect(list.validated).toBe(rows.length);
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
    expect(findings.flatMap(({ corrections }) => corrections)).toEqual([]);
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
    expect(findings).toMatchObject([{ fault: "letter-for-digit", corrections: [] }]);
  });

  describe("of a grid", () => {
    const grid = (across: readonly CellValue[], corner: CellValue = "Store") =>
      sheetOf([
        ["Stock of week 47", null, null, null],
        [corner, ...across],
        [1234, ...across.map((_, at) => 10 + at)],
        ["2O45", ...across.map((_, at) => 40 + at)],
        [2045, ...across.map(() => null)],
      ]);
    const check = (workbook: ReturnType<typeof grid>) =>
      checkItems(workbook, [{ sheet: "Plan", row: 2, col: 2, rows: 1, cols: 1 }]);

    it("validates the items above it and the stores at its side", async () => {
      const workbook = grid(
        ["00012345678905", 12345678912, "OOO12345678929", "00012345678905", "Total 2026"],
        null,
      );
      const { itemRow, itemCol, storeCol, validated, findings } = await check(workbook);
      expect({ itemRow, itemCol, storeCol, validated }).toEqual({
        itemRow: 1,
        itemCol: null,
        storeCol: 0,
        validated: 7,
      });
      expect(
        findings.map(({ cell, fault, advice }) => [cell.row, cell.col, fault, advice.slice(0, 8)]),
      ).toEqual([
        [3, 0, "letter-for-digit", expect.any(String)],
        [1, 2, "zeros-missing", expect.any(String)],
        [1, 3, "letter-for-digit", expect.any(String)],
        [1, 4, "duplicate", "The same"],
      ]);
      const sure = findings.filter((finding) => finding.sure).flatMap(({ corrections }) => corrections);
      await correct(workbook, sure);
      expect(await workbook.read({ sheet: "Plan", row: 1, col: 1, rows: 1, cols: 4 }, "values")).toEqual([
        ["00012345678905", "00012345678912", "00012345678929", "00012345678905"],
      ]);
    });

    it.each([
      ["days", ["2026-11-15", "2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"]],
      ["dates of Excel", [46341, 46342, 46343, 46344]],
      ["years and weeks", [2024, 2025, "202547", "Week 46", "W47 2026"]],
      ["words", ["Shelf", "Backroom", "Sold 7 days", "EAN13"]],
      ["telephone numbers", ["0049 30 12345678", "4930123456789"]],
    ])("takes no headings for items: %s", async (_, across) => {
      const { itemRow, findings } = await check(grid(across));
      expect(itemRow).toBeNull();
      expect(findings.filter(({ field }) => field === "item")).toEqual([]);
    });

    it("isn't found in a list with two columns of GTINs", async () => {
      const workbook = sheetOf([
        ["Store", "GTIN", "Case GTIN"],
        [null, "00012345678905", "00012345678912"],
        [1234, "00012345678929", "00012345678936"],
      ]);
      expect(await check(workbook)).toMatchObject({ itemRow: null, itemCol: 1 });
    });
  });

  it("rejects without a list", async () => {
    const workbook = sheetOf([["Plan for spring"], ["Flakes"]]);
    await expect(checkItems(workbook, wholeColumns)).rejects.toMatchObject({ code: "bad-argument" });
  });
});
