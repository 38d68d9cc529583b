/**
 * Finds the row of GTINs above a grid with stores at its side. Other headings are words, dates and years, so the row counts only
 * if the check digits confirm most of its GTINs and no such GTINs follow below.
 */
import { diagnoseGtin } from "../gtin-hints";
import { diagnoseStore } from "../identifiers";
import { type InputCell, looksLikeItem } from "./find-columns";
import { isValid } from "./gtin-column";

export interface ItemRow {
  readonly row: number;
  /** Columns whose cell in that row may be an item. */
  readonly cols: readonly number[];
}

const mostRowsAbove = 10;
const mostRowsBelow = 100;
/** A shorter one may be a date, `2026-11-20`. */
const fewestDigits = 11;
const enough = 0.5;

/** @param store the column of the stores. Returns null if these rows aren't such a grid. */
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

/** `Total 2026` at the end of the row isn't an item. */
function mayBeItem(cell: InputCell): boolean {
  return cell !== null && (looksLikeItem(cell) || /^\s*\d{7,}\s*$/.test(String(cell)));
}

function isStore(cell: InputCell | undefined): boolean {
  return cell !== null && cell !== undefined && typeof diagnoseStore(cell) === "number";
}
