/**
 * Broadcasts ranges as Excel's operators do: equal shapes pair up, a single row or column stretches, and a column against a row makes a
 * grid. Excel would fill cells without a partner with #N/A; INV refuses the formula and names the shapes.
 */
import { InvError } from "../domain/errors";

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

/** A reference from this height on means the whole column, up to its last entry. */
const tallRows = 65_536;
/** The same for whole rows. */
const wideCols = 16_000;
const mostCells = 500_000;

export const onePlace: Shape = { rows: 1, cols: 1 };

/** A missing argument. One object for all, so that a sheet's many optional arguments cost nothing. */
export const missingArgument: CellGrid<null> = { rows: 1, cols: 1, cells: [null] };

/** Returns a range as a grid, and anything else as a grid of one cell. */
export function toGrid(value: unknown): CellGrid<unknown> {
  if (value === null || value === undefined) return missingArgument;
  if (!Array.isArray(value)) return { rows: 1, cols: 1, cells: [value] };
  const rows: readonly unknown[][] = value.map((row: unknown) =>
    Array.isArray(row) ? (row as unknown[]) : [row],
  );
  const cols = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (rows.length === 0 || cols === 0) return { rows: 1, cols: 1, cells: [null] };
  const cells: unknown[] = [];
  for (const row of rows) for (let col = 0; col < cols; col++) cells.push(row[col]);
  return { rows: rows.length, cols, cells };
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
 * Cuts whole columns after the last row in which any of them may contain something. Excel passes empty cells as "" or 0 (seen; null in
 * some versions on the web). The end is cut before anything reads the cells, because reading a million takes a second.
 */
export function trimEmptyEnds(given: readonly unknown[]): readonly unknown[] {
  let rows = 0;
  for (const value of given) if (isWholeColumn(value)) rows = Math.max(rows, filledRows(value));
  return rows === 0 ? given : given.map((value) => (isWholeColumn(value) ? value.slice(0, rows) : value));
}

export function isWholeColumn(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length >= tallRows;
}

/** Returns at least 1, so that an empty column stays a blank. */
function filledRows(rows: readonly unknown[]): number {
  let last = rows.length - 1;
  while (last > 0 && isEmptyRow(rows[last])) last--;
  return last + 1;
}

function isEmptyRow(row: unknown): boolean {
  if (!Array.isArray(row)) return isEmpty(row);
  for (const cell of row) if (!isEmpty(cell)) return false;
  return true;
}

function isEmpty(cell: unknown): boolean {
  return cell === "" || cell === 0 || cell === null || cell === undefined;
}

/**
 * Cuts references to whole columns and rows after the last row (column) in which any of them contains something.
 * @param isTall which grids are whole columns, if their empty ends are already cut
 */
export function trimWholeColumns(
  grids: readonly CellGrid<unknown>[],
  isBlank: (cell: unknown) => boolean,
  isTall = grids.map(({ rows }) => rows >= tallRows),
): readonly CellGrid<unknown>[] {
  if (!isTall.includes(true) && !grids.some(({ cols }) => cols >= wideCols)) return grids;
  const tall = grids.filter((_, index) => isTall[index]);
  const wide = grids.filter(({ cols }) => cols >= wideCols);
  const lastRow = tall.reduce((last, grid) => Math.max(last, extent(grid, isBlank).rows), 1);
  const lastCol = wide.reduce((last, grid) => Math.max(last, extent(grid, isBlank).cols), 1);
  return grids.map((grid, index) => {
    const rows = isTall[index] ? Math.min(grid.rows, lastRow) : grid.rows;
    const cols = grid.cols >= wideCols ? Math.min(grid.cols, lastCol) : grid.cols;
    return rows === grid.rows && cols === grid.cols ? grid : cropped(grid, { rows, cols });
  });
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
  const misfit = (size: number, whole: number): boolean => size !== 1 && size !== whole;
  const entries = Object.entries(named);
  const odd = entries.find(([, grid]) => misfit(grid.rows, rows) || misfit(grid.cols, cols));
  if (odd !== undefined) {
    const [name, grid] = odd;
    const isRows = misfit(grid.rows, rows);
    const other = entries.find(([, { rows: r, cols: c }]) => (isRows ? r === rows : c === cols)) ?? odd;
    return new InvError(
      "bad-argument",
      `${name} is ${shapeText(grid)} but ${other[0]} is ${shapeText(other[1])} (rows x columns). ` +
        "Give equal shapes, one value, or a column and a row.",
    );
  }
  if (rows * cols > mostCells) {
    return new InvError(
      "bad-argument",
      `The formula makes ${rows} x ${cols} values, expected at most ${mostCells}. Split it into smaller ranges.`,
    );
  }
  return { rows, cols };
}

/** Returns `499 x 1`: rows x columns. */
export function shapeText({ rows, cols }: Shape): string {
  return `${rows} x ${cols}`;
}

function extent(grid: CellGrid<unknown>, isBlank: (cell: unknown) => boolean): Shape {
  let rows = 0;
  let cols = 0;
  for (const [index, cell] of grid.cells.entries()) {
    if (isBlank(cell)) continue;
    rows = Math.floor(index / grid.cols) + 1;
    cols = Math.max(cols, (index % grid.cols) + 1);
  }
  return { rows, cols };
}

function cropped(grid: CellGrid<unknown>, { rows, cols }: Shape): CellGrid<unknown> {
  const cells: unknown[] = [];
  for (let row = 0; row < rows; row++) {
    const start = row * grid.cols;
    for (let col = 0; col < cols; col++) cells.push(grid.cells[start + col]);
  }
  return { rows, cols, cells };
}
