/**
 * Reads cells and areas as a sheet's part spells them: `B2`, `B2:C5`. An address beyond the sheet's limits gives null.
 */
import { columnIndex, sheetCols, sheetRows } from "../../formula/columns";
import type { Rectangle } from "../univer/cell-reader";

export function parseCellAddress(text: string): { readonly row: number; readonly col: number } | null {
  const [, letters, digits] = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/.exec(text) ?? [];
  if (letters === undefined || digits === undefined) return null;
  const at = { row: Number(digits) - 1, col: columnIndex(letters) };
  return at.row >= 0 && at.row < sheetRows && at.col < sheetCols ? at : null;
}

export function parseArea(text: string): Rectangle | null {
  const [from = "", to = from] = text.split(":");
  const [one, other] = [parseCellAddress(from), parseCellAddress(to)];
  if (one === null || other === null) return null;
  const [row, col] = [Math.min(one.row, other.row), Math.min(one.col, other.col)];
  const [rows, cols] = [Math.abs(one.row - other.row) + 1, Math.abs(one.col - other.col) + 1];
  return { row, col, rows, cols };
}
