/**
 * What a list's name stands for: the filled cells below its heading, so that the list grows by typing under it. By
 * FILTER, because OFFSET calculates every formula over it at every edit, a range that ends in INDEX once at each
 * opening of the file, and a fixed range has blanks. From the heading on, so that a row put in right below it counts.
 */
import { functionAddress } from "../addresses";
import { columnIndex, columnName, sheetRows } from "../../formula/columns";
import type { CellRef } from "../port";

/** Entries that a list has room for, below its heading. */
export const mostEntries = 9_999;

/** Where a list stands. */
export interface ListPlace {
  readonly heading: CellRef;
  /** The row that it ends before, from 0; rows put in have moved it. */
  readonly endRow: number;
}

export function listFormula(heading: CellRef): string {
  const on = functionAddress(heading.sheet, "");
  const first = `$${columnName(heading.col)}$${heading.row + 1}`;
  const lastRow = Math.min(sheetRows, heading.row + 1 + mostEntries);
  const cells = `${on}${first}:$${columnName(heading.col)}$${lastRow}`;
  return `=FILTER(${cells},NOT(ISBLANK(${cells}))*(ROW(${cells})>ROW(${on}${first})),"")`;
}

const shape =
  /^=(?:_xlfn\.)?(?:_xlws\.)?FILTER\((?<cells>(?<on>'(?:[^']|'')+'!|[^'!(),:]+!)\$(?<col>[A-Z]{1,3})\$(?<row>\d+):\$\k<col>\$(?<end>\d+)),NOT\(ISBLANK\(\k<cells>\)\)\*\(ROW\(\k<cells>\)>ROW\(\k<on>\$\k<col>\$\k<row>\)\),""\)$/;

/** The place of the list that a name with this formula stands for; null for any other formula. */
export function listPlace(formula: string): ListPlace | null {
  const { on, col, row, end } = shape.exec(formula)?.groups ?? {};
  if (on === undefined || col === undefined) return null;
  const sheet = on.slice(0, -1).replace(/^'|'$/g, "").replaceAll("''", "'");
  return { heading: { sheet, row: Number(row) - 1, col: columnIndex(col) }, endRow: Number(end) };
}
