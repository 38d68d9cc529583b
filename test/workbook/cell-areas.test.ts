/** Merging cells into areas: exactly those cells, in few areas. */
import { fc } from "../helpers/properties";
import { mergeCells } from "../../src/workbook/cell-areas";
import type { CellRef } from "../../src/workbook/port";

const cell = (row: number, col: number): CellRef => ({ sheet: "Plan", row, col });
const block = (row: number, col: number, rows: number, cols: number) =>
  Array.from({ length: rows * cols }, (_, index) =>
    cell(row + Math.floor(index / cols), col + (index % cols)),
  );

test("no cells are no areas", () => {
  expect(mergeCells([])).toEqual([]);
});

test("a column, a row and a table are one area each", () => {
  expect(mergeCells(block(1, 2, 10_000, 1))).toEqual([{ row: 1, col: 2, rows: 10_000, cols: 1 }]);
  expect(mergeCells(block(4, 0, 1, 50))).toEqual([{ row: 4, col: 0, rows: 1, cols: 50 }]);
  expect(mergeCells(block(1, 1, 30, 4).reverse())).toEqual([{ row: 1, col: 1, rows: 30, cols: 4 }]);
});

test("columns that do not touch stay apart, though their rows agree", () => {
  expect(mergeCells([...block(1, 2, 5, 1), ...block(1, 4, 5, 1)])).toHaveLength(2);
});

test("the areas hold every given cell once and no other", () => {
  const cells = fc.array(fc.record({ row: fc.nat(12), col: fc.nat(12) }), { maxLength: 80 });
  fc.assert(
    fc.property(cells, (given) => {
      const held = mergeCells(given.map(({ row, col }) => cell(row, col))).flatMap((area) =>
        block(area.row, area.col, area.rows, area.cols).map(({ row, col }) => `${row},${col}`),
      );
      expect(held.sort()).toEqual([...new Set(given.map(({ row, col }) => `${row},${col}`))].sort());
    }),
  );
});

test("200,000 scattered cells are merged", () => {
  const cells = Array.from({ length: 200_000 }, (_, index) => cell(index * 2, index % 7));
  expect(mergeCells(cells)).toHaveLength(200_000);
});
