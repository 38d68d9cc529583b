/** Combines cells into few areas, with exactly these cells or with others between. */
import { fc } from "../helpers/properties";
import { areasAround, mergeCells } from "../../src/workbook/cell-areas";
import type { Area, CellRef } from "../../src/workbook/port";

const cell = (row: number, col: number): CellRef => ({ sheet: "Plan", row, col });
const block = (row: number, col: number, rows: number, cols: number) =>
  Array.from({ length: rows * cols }, (_, index) =>
    cell(row + Math.floor(index / cols), col + (index % cols)),
  );

const area = (row: number, col: number, rows: number, cols: number): Area => ({
  ...{ sheet: "Plan", row, col, rows, cols },
});

test("no cells are no areas", () => {
  expect(mergeCells([])).toEqual([]);
});

test("a column, a row and a table are one area each", () => {
  expect(mergeCells(block(1, 2, 10_000, 1))).toEqual([area(1, 2, 10_000, 1)]);
  expect(mergeCells(block(4, 0, 1, 50))).toEqual([area(4, 0, 1, 50)]);
  expect(mergeCells(block(1, 1, 30, 4).reverse())).toEqual([area(1, 1, 30, 4)]);
});

test("columns that don't touch are two areas", () => {
  expect(mergeCells([...block(1, 2, 5, 1), ...block(1, 4, 5, 1)])).toHaveLength(2);
});

test("each sheet has its own areas", () => {
  const other = { ...cell(2, 2), sheet: "Other" };
  expect(mergeCells([cell(1, 2), other, cell(2, 2)])).toEqual([
    area(1, 2, 2, 1),
    { ...other, rows: 1, cols: 1 },
  ]);
});

test("areas for reading contain the cells between scattered ones, and never overlap", () => {
  const cells = Array.from({ length: 150 }, (_, index) => cell(index * 20 + (index > 100 ? 50 : 0), 3));
  expect(areasAround(cells.slice(0, 100))).toHaveLength(100);
  expect(areasAround(cells)).toEqual([area(0, 3, 2_001, 1), area(2_070, 3, 961, 1)]);
});

test("the areas contain every given cell once and no other", () => {
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
