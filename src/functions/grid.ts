/**
 * Broadcasts ranges as Excel's operators do: equal shapes pair up, a single row or column stretches, and a column against a row makes a
 * grid. Excel would fill cells without a partner with #N/A; INV refuses the formula and names the shapes.
 */
import { InvError } from "../domain/errors";
import { wholeColumnRows } from "../domain/functions";
import { count } from "../domain/number-words";

/** A range or a scalar; cells row by row. */
export interface CellGrid<T> {
  readonly rows: number;
  readonly cols: number;
  readonly cells: readonly T[];
}

export interface Shape {
  readonly rows: number;
  readonly cols: number;
}

/** A reference of this many columns or more means the whole row. */
const wideCols = 16_000;
const mostCells = 500_000;

export const onePlace: Shape = { rows: 1, cols: 1 };

/** A missing argument. One object for all, so that a sheet's many optional arguments cost nothing. */
const missingArgument: CellGrid<null> = { rows: 1, cols: 1, cells: [null] };

/** Returns a range as a grid, and anything else as a grid of one cell. */
export function toGrid(value: unknown): CellGrid<unknown> {
  if (value === null || value === undefined) return missingArgument;
  if (!isMatrix(value)) return { rows: 1, cols: 1, cells: [value] };
  return { rows: value.length, cols: value[0]?.length ?? 0, cells: value.flat() };
}

/** Returns the cell for a place of the result. */
export function cellAt<T>(grid: CellGrid<T>, row: number, col: number): T {
  return grid.cells[indexAt(grid, row, col)] as T;
}

/** Returns the index of that cell. */
export function indexAt({ rows, cols }: Shape, row: number, col: number): number {
  return (rows === 1 ? 0 : row) * cols + (cols === 1 ? 0 : col);
}

/**
 * Cuts references to whole columns and rows after the last row (column) in which any of them contains something. Only their ends are
 * read, because reading a million cells takes a second.
 */
export function trimWholeReferences(
  values: readonly unknown[],
  isBlank: (cell: unknown) => boolean,
): readonly unknown[] {
  const lastFilled = (cells: readonly unknown[]): number => cells.findLastIndex((cell) => !isBlank(cell));
  const isFilled = (row: readonly unknown[]): boolean => lastFilled(row) >= 0;
  let [rows, cols] = [1, 1];
  for (const value of values) {
    if (isTall(value)) rows = Math.max(rows, value.findLastIndex(isFilled) + 1);
    if (isWide(value)) for (const row of value) cols = Math.max(cols, lastFilled(row) + 1);
  }
  return values.map((value) => {
    const lines = isTall(value) ? value.slice(0, rows) : value;
    return isWide(lines) ? lines.map((row) => row.slice(0, cols)) : lines;
  });
}

type Matrix = readonly (readonly unknown[])[];

function isTall(value: unknown): value is Matrix {
  return isMatrix(value) && value.length >= wholeColumnRows;
}

function isWide(value: unknown): value is Matrix {
  return isMatrix(value) && (value[0]?.length ?? 0) >= wideCols;
}

function isMatrix(value: unknown): value is Matrix {
  return Array.isArray(value) && Array.isArray(value[0]);
}

/**
 * Returns the common shape, or a `bad-argument` error that names two shapes that don't fit.
 * @param named the grids by their arguments' names
 */
export function commonShape(named: Readonly<Record<string, CellGrid<unknown>>>): Shape | InvError {
  let rows = 1;
  let cols = 1;
  for (const name in named) {
    const grid = named[name] ?? missingArgument;
    rows = Math.max(rows, grid.rows);
    cols = Math.max(cols, grid.cols);
  }
  if (rows === 1 && cols === 1) return onePlace;
  const differs = (size: number, common: number): boolean => size !== 1 && size !== common;
  const entries = Object.entries(named);
  const wrong = entries.find(([, grid]) => differs(grid.rows, rows) || differs(grid.cols, cols));
  if (wrong !== undefined) {
    const [name, grid] = wrong;
    const isRows = differs(grid.rows, rows);
    const other = entries.find(([, { rows: r, cols: c }]) => (isRows ? r === rows : c === cols)) ?? wrong;
    return new InvError(
      "bad-argument",
      `${name} is ${shapeText(grid)} but ${other[0]} is ${shapeText(other[1])} (rows x columns). ` +
        "Give equal shapes, one value, or a column and a row.",
    );
  }
  if (rows * cols > mostCells) {
    return new InvError(
      "bad-argument",
      `The formula makes ${shapeText({ rows, cols })} values, expected at most ${count(mostCells)}. Split it into smaller ranges.`,
    );
  }
  return { rows, cols };
}

/** Returns `499 x 1`: rows x columns. */
export function shapeText({ rows, cols }: Shape): string {
  return `${count(rows)} x ${count(cols)}`;
}
