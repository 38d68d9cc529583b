/**
 * The problems of a cell: the reason, the cells of its result without a value, and whether its request is
 * unanswered. Most cells have none, so this is a separate record.
 */
import { columnIndex, columnName } from "../formula/columns";
import type { InvError } from "../domain/errors";
import type { Problem } from "./activity";

export interface ProblemDetails {
  error: InvError | null;
  unansweredBecause: InvError | null;
  /** Keys of the unanswered items. Null if the reason concerns no single item. */
  unansweredItems: Set<string> | null;
  /** Whether a calculation ended with `error` instead of its last known value. */
  hasFailed: boolean;
  /** Addresses of the result's values that are missing, and what some of them asked for. */
  cells: Set<string> | null;
  problems: Problem[];
}

/** Returns the cell's problem record, and creates it if the cell has none. */
export function ensureProblemDetails(cell: { problem: ProblemDetails | null }): ProblemDetails {
  return (cell.problem ??= {
    error: null,
    unansweredBecause: null,
    unansweredItems: null,
    hasFailed: false,
    cells: null,
    problems: [],
  });
}

const addressShape = /^(.*!)?\$?([A-Z]{1,3})\$?(\d{1,7})$/i;

/**
 * Returns the address `row` rows below and `col` columns right of the formula, such as `'My sheet'!C2`. With
 * it, a person can find a problem in row 40 of a spilled column. Returns an unreadable address unchanged.
 */
export function spilledAddress(formula: string, row: number, col: number): string {
  if (row === 0 && col === 0) return formula;
  const parts = addressShape.exec(formula);
  if (parts === null) return formula;
  const [, sheet = "", column = "", line = ""] = parts;
  return `${sheet}${columnName(columnIndex(column) + col)}${Number(line) + row}`;
}
