/**
 * The formula of a list's name. It returns the filled cells below the list's heading, each entry once, so that the list grows when
 * people type below it, and a column of a planning sheet gives its stores without repeats. It uses UNIQUE and FILTER, which every
 * Excel has that has dynamic arrays. OFFSET would recalculate every formula that uses it at every edit. A range that ends in INDEX
 * would recalculate whenever the file opens. A fixed range would contain blanks. The range starts at the heading, so that it
 * includes a row inserted right below.
 */
import { functionAddress } from "../addresses";
import { columnName, sheetRows } from "../../formula/columns";
import { references, sheetNamed } from "../../formula/references";
import { respelled, tokensOf } from "../../formula/tokens";
import type { CellRef } from "../port";

/** Highest number of entries below the heading. */
export const mostEntries = 9_999;

export interface ListRange {
  readonly heading: CellRef;
  /** The row after the list's range, counted from 0. Inserted rows move it. */
  readonly endRow: number;
}

export function listFormula(heading: CellRef): string {
  return formulaAt({ heading, endRow: Math.min(sheetRows, heading.row + 1 + mostEntries) });
}

function formulaAt({ heading, endRow }: ListRange): string {
  const on = functionAddress(heading.sheet, "");
  const first = `$${columnName(heading.col)}$${heading.row + 1}`;
  const cells = `${on}${first}:$${columnName(heading.col)}$${endRow}`;
  return `=UNIQUE(FILTER(${cells},NOT(ISBLANK(${cells}))*(ROW(${cells})>ROW(${on}${first})),""))`;
}

/** Returns the range of the list with this formula; null for any other formula. */
export function listRange(formula: string): ListRange | null {
  const [cells] = references(formula).cells;
  if (cells === undefined || cells.sheet === null) return null;
  const heading = { sheet: cells.sheet, row: cells.row, col: cells.col };
  const range = { heading, endRow: cells.row + cells.rows };
  return comparable(formula) === comparable(formulaAt(range)) ? range : null;
}

/**
 * Returns a text for comparing formulas: hosts differ in which sheet names they quote, and files write UNIQUE and FILTER with prefixes.
 */
function comparable(formula: string): string {
  return respelled(tokensOf(formula), ({ kind, text }) => {
    if (kind === "sheet") return `${sheetNamed(text)}!`;
    return kind === "name" ? text.replace(/^_xlfn\.(?:_xlws\.)?/, "") : text;
  });
}

/** Returns each entry once, as UNIQUE does: it ignores letter case, and a number differs from a text of its digits. */
export function withoutRepeats<T>(entries: readonly T[], valueOf: (entry: T) => unknown): readonly T[] {
  const seen = new Map<string, T>();
  for (const entry of entries) {
    const value = valueOf(entry);
    const key = `${typeof value} ${String(value).toLowerCase()}`;
    if (!seen.has(key)) seen.set(key, entry);
  }
  return [...seen.values()];
}
