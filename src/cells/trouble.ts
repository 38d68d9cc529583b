/**
 * What went wrong in a cell: the reason, which cells of its result have no value, and whether its request wasn't answered. Most
 * cells have no trouble, so this is a separate record.
 */
import { columnIndex, columnName } from "../formula/columns";
import { type ErrorCode, errorTable, type InvError } from "../domain/errors";

/** The trouble of a cell's latest round. */
export interface Trouble {
  error: InvError | null;
  owedBecause: InvError | null;
  /** Keys of the items that weren't answered; null if the reason concerns no single item. */
  unansweredItems: Set<string> | null;
  /** Whether a call ended with `error` instead of its last known value. */
  hasFailed: boolean;
  /** Cells of the result without a value, in this round and, until it ends, in the previous one. */
  cells: Set<string> | null;
  cellsBefore: ReadonlySet<string> | null;
}

/** Returns the cell's trouble record, and creates it if the cell has none. */
export function troubleOf(cell: { trouble: Trouble | null }): Trouble {
  return (cell.trouble ??= {
    error: null,
    owedBecause: null,
    unansweredItems: null,
    hasFailed: false,
    cells: null,
    cellsBefore: null,
  });
}

/**
 * The reasons that mean "not answered": the same request may succeed later. The other reasons are answers, or mistakes in
 * the formula.
 */
const owing: ReadonlySet<ErrorCode> = new Set([
  "not-connected",
  "offline",
  "credentials-refused",
  "signed-out",
  "not-subscribed",
  "consumer-unknown",
  "wrong-address",
  "bad-answer",
  "missing-answer",
  "cancelled",
  ...(Object.keys(errorTable) as ErrorCode[]).filter((code) => errorTable[code].retryable),
]);

/** Whether this reason means that the request wasn't answered. */
export function leavesOwed(code: ErrorCode): boolean {
  return owing.has(code);
}

const addressShape = /^(.*!)?\$?([A-Z]{1,3})\$?(\d{1,7})$/i;

/**
 * Returns the address `row` rows below and `col` columns right of the formula, such as `'My sheet'!C2`, so that a person finds
 * a problem in row 40 of a spilled column. Returns an address that it can't read unchanged.
 */
export function spilledAddress(formula: string, row: number, col: number): string {
  if (row === 0 && col === 0) return formula;
  const parts = addressShape.exec(formula);
  if (parts === null) return formula;
  const [, sheet = "", column = "", line = ""] = parts;
  return `${sheet}${columnName(columnIndex(column) + col)}${Number(line) + row}`;
}
