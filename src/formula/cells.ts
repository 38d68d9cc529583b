/** The spelling of cells without their sheet: `A1`, `$A$1:B2`, `A:C`, `1:3`, and `A1.:.B9`, which Excel trims. */
import { columnIndex, sheetCols, sheetRows } from "./columns";

/** Rows and columns count from 0; whole rows and columns reach to the last one. */
export interface CellArea {
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
}

/** One corner of a reference, with its `$`. `A` of `A:C` has no row. */
export interface Corner {
  readonly col: string | undefined;
  readonly row: string | undefined;
}

/** Returns the cells; null beyond the sheet's last column or row, where Excel reads a name. */
export function areaOfCells(text: string): CellArea | null {
  const { first, last = first } = cornersOf(text);
  const cols = first.col && last.col ? span(colOf(first.col), colOf(last.col)) : [0, sheetCols];
  const rows = first.row && last.row ? span(rowOf(first.row), rowOf(last.row)) : [0, sheetRows];
  const [[col = 0, width = 0], [row = 0, height = 0]] = [cols, rows];
  if (row < 0 || col + width > sheetCols || row + height > sheetRows) return null;
  return { row, col, rows: height, cols: width };
}

/** Spells each corner with `spell`; returns null if one of them has no spelling. */
export function respellCorners(text: string, spell: (corner: Corner) => string | null): string | null {
  const { first, colon, last } = cornersOf(text);
  const [one, other] = [spell(first), last === undefined ? "" : spell(last)];
  return one === null || other === null ? null : one + colon + other;
}

export function isFixed(part: string): boolean {
  return part.startsWith("$");
}

export function colOf(part: string): number {
  return columnIndex(part.replace("$", ""));
}

export function rowOf(part: string): number {
  return Number(part.replace("$", "")) - 1;
}

const corners = /^(\$?[A-Za-z]+)?(\$?\d+)?(?:(\.?:\.?)(\$?[A-Za-z]+)?(\$?\d+)?)?$/;

function cornersOf(text: string): { first: Corner; colon: string; last: Corner | undefined } {
  const [, col, row, colon, lastCol, lastRow] = corners.exec(text) ?? [];
  const last = colon === undefined ? undefined : { col: lastCol, row: lastRow };
  return { first: { col, row }, colon: colon ?? "", last };
}

function span(a: number, b: number): [first: number, count: number] {
  return [Math.min(a, b), Math.abs(a - b) + 1];
}
