/** The cells that an edit changes, and the ranges that are then calculated. */
import { dirtyRanges } from "../../../../src/browser-workbook/univer/calculation/dirty-ranges";
import { editedCells } from "../../../../src/browser-workbook/univer/edits/edited-cells";

test("counts values, formulas and cleared cells as edits, but not styles", () => {
  const params = {
    subUnitId: "s",
    cellValue: {
      0: { 0: { v: 1 }, 1: { s: "bold" }, 2: { f: "=A1", si: null } },
      3: { 0: null, 1: { v: null, s: "x" } },
    },
  };
  expect(editedCells(params).map(({ row, col }) => `${row},${col}`)).toEqual(["0,0", "0,2", "3,0", "3,1"]);
});

test("returns no cells for an edit without cells", () => {
  expect(editedCells({ subUnitId: "s" })).toEqual([]);
});

test("merges cells below each other into one range", () => {
  const at = (sheetId: string, row: number, col: number) => ({ sheetId, row, col });
  const places = [at("s", 3, 1), at("s", 1, 1), at("s", 2, 1), at("s", 5, 1), at("s", 2, 2), at("t", 4, 1)];
  const ranges = dirtyRanges("book", places).map(({ sheetId, range }) => [
    sheetId,
    range.startColumn,
    range.startRow,
    range.endRow,
  ]);
  expect(ranges).toEqual([
    ["s", 1, 1, 3],
    ["s", 1, 5, 5],
    ["s", 2, 2, 2],
    ["t", 1, 4, 4],
  ]);
});

test("merges 10,000 cells of a column into one range", () => {
  const places = Array.from({ length: 10_000 }, (_, row) => ({ sheetId: "s", row, col: 2 }));
  expect(dirtyRanges("book", places)).toHaveLength(1);
});
