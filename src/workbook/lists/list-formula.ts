/**
 * What a list's name stands for: the filled cells below its heading, so that the list grows by typing under it. By
 * FILTER, because OFFSET calculates every formula over it at every edit, a range that ends in INDEX once at each
 * opening of the file, and a fixed range has blanks. From the heading on, so that a row put in right below it counts.
 */
import { functionAddress } from "../addresses";
import { columnName, sheetRows } from "../../formula/columns";
import { references, sheetNamed } from "../../formula/references";
import { respelled, tokensOf } from "../../formula/tokens";
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
  return formulaAt({ heading, endRow: Math.min(sheetRows, heading.row + 1 + mostEntries) });
}

function formulaAt({ heading, endRow }: ListPlace): string {
  const on = functionAddress(heading.sheet, "");
  const first = `$${columnName(heading.col)}$${heading.row + 1}`;
  const cells = `${on}${first}:$${columnName(heading.col)}$${endRow}`;
  return `=FILTER(${cells},NOT(ISBLANK(${cells}))*(ROW(${cells})>ROW(${on}${first})),"")`;
}

/** The place of the list that a name with this formula stands for; null for any other formula. */
export function listPlace(formula: string): ListPlace | null {
  const [cells] = references(formula).cells;
  if (cells === undefined || cells.sheet === null) return null;
  const heading = { sheet: cells.sheet, row: cells.row, col: cells.col };
  const place = { heading, endRow: cells.row + cells.rows };
  return comparable(formula) === comparable(formulaAt(place)) ? place : null;
}

/** Hosts differ in which sheets they quote, and files in how they spell FILTER. */
function comparable(formula: string): string {
  return respelled(tokensOf(formula), ({ kind, text }) => {
    if (kind === "sheet") return `${sheetNamed(text)}!`;
    return kind === "name" ? text.replace(/^_xlfn\.(?:_xlws\.)?/, "") : text;
  });
}
