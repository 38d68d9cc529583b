/**
 * What only the cells have that got less than they asked for: why, which cells of the result that are, and whether an
 * answer is still owed. Most cells have none of it, so it stands in a record of its own.
 */
import { columnIndex, columnName } from "../formula/columns";
import { type ErrorCode, errorTable, type InvError } from "../domain/errors";

/** Where a round, or the one before it, gave less than it was asked for. */
export interface Trouble {
  error: InvError | null;
  owedBecause: InvError | null;
  /** Keys of the items that were not answered; null where the reason is of none alone. */
  unansweredItems: Set<string> | null;
  /** Whether `error` left a call without a value, rather than with its last known one. */
  hasFailed: boolean;
  /** Cells of its result without a value: in this round, and, until it ends, in the one before. */
  cells: Set<string> | null;
  cellsBefore: ReadonlySet<string> | null;
}

/** The cell's own; a cell that had none gets one. */
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
 * Which reasons leave an answer owed: nobody answered, and the same question may be answered when it is
 * asked again. The others are answers, or the cell's own fault.
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

/** Whether a cell that shows this reason is still owed its answer. */
export function leavesOwed(code: ErrorCode): boolean {
  return owing.has(code);
}

const addressShape = /^(.*!)?\$?([A-Z]{1,3})\$?(\d{1,7})$/i;

/**
 * The address `row` rows below and `col` columns right of a formula's own, such as `'My sheet'!C2`, so
 * that a problem in row 40 of a spilled column is found there. One that is not understood stays as the host gave it.
 */
export function spilledAddress(formula: string, row: number, col: number): string {
  if (row === 0 && col === 0) return formula;
  const parts = addressShape.exec(formula);
  if (parts === null) return formula;
  const [, sheet = "", column = "", line = ""] = parts;
  return `${sheet}${columnName(columnIndex(column) + col)}${Number(line) + row}`;
}
