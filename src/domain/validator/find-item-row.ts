/**
 * The row of GTINs across the top of a grid, stores down its side. Real headings are words, dates and years, so a
 * row counts only where most of it are GTINs that their check digits confirm, and nothing of the kind stands below.
 */
import { diagnoseGtin } from "../gtin-hints";
import { diagnoseStore } from "../identifiers";
import { type InputCell, looksLikeItem } from "./find-columns";
import { isValid } from "./gtin-column";

/** The first of a grid's columns is right of its stores. */
export interface ItemRow {
  readonly row: number;
  /** Columns whose cell in that row is to be validated. */
  readonly cols: readonly number[];
}

const mostRowsAbove = 10;
const mostRowsBelow = 100;
/** Shorter ones may be a date, `2026-11-20`. */
const fewestDigits = 11;
const enough = 0.5;

/** @param store the column of the stores; null where these rows are no such grid */
export function findItemRow(rows: readonly (readonly InputCell[])[], store: number): ItemRow | null {
  const at = rows.slice(0, mostRowsAbove).findIndex((line, row) => {
    const corner = line[store] ?? null;
    if (corner !== null && typeof diagnoseStore(corner) === "number") return false;
    const below = rows.slice(row + 1, row + 1 + mostRowsBelow);
    if (!below.some((other) => isStore(other[store]))) return false;
    const filled = filledCols(line, store);
    const confirmed = filled.filter((col) => isConfirmed(line[col] ?? null));
    const isShared = confirmed.length > 0 && confirmed.length >= filled.length * enough;
    return isShared && !confirmed.some((col) => below.some((other) => isConfirmed(other[col] ?? null)));
  });
  return at === -1
    ? null
    : {
        row: at,
        cols: filledCols(rows[at] ?? [], store).filter((col) => mayBeItem(rows[at]?.[col] ?? null)),
      };
}

function filledCols(line: readonly InputCell[], store: number): number[] {
  return [...line.keys()].filter((col) => col > store && line[col] !== null && line[col] !== "");
}

function isConfirmed(cell: InputCell): boolean {
  if (cell === null || !looksLikeItem(cell) || String(cell).replace(/\D/g, "").length < fewestDigits) {
    return false;
  }
  const { gtin } = diagnoseGtin(cell);
  return gtin !== null && isValid(gtin);
}

/** `Total 2026` at the end of the row is a heading. */
function mayBeItem(cell: InputCell): boolean {
  return cell !== null && (looksLikeItem(cell) || /^\s*\d{7,}\s*$/.test(String(cell)));
}

function isStore(cell: InputCell | undefined): boolean {
  return cell !== null && cell !== undefined && typeof diagnoseStore(cell) === "number";
}
