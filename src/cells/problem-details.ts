/**
 * The problems of a cell: the reason, the cells of its result without a value, and whether its request had
 * no answer. Most cells have none, so this is a separate record.
 */
import { columnIndex, columnName } from "../formula/columns";
import type { InvError } from "../domain/errors";

export interface Problem {
  readonly atMs: number;
  /** Address of the value, which the formula may have spilled; null if the host doesn't provide it. */
  readonly cell: string | null;
  /** Store and item as INV asked for them, or as they were entered if it could not ask. Empty if blank. */
  readonly store: string;
  readonly item: string;
  readonly error: InvError;
}

export interface ProblemDetails {
  error: InvError | null;
  /** Whether a query had no answer, whatever the cell shows instead. */
  isUnanswered: boolean;
  /** What the first 500 missing values asked for. Null if none is missing. Of 200,000 cells in an outage, each has one. */
  problems: [CellProblem, ...CellProblem[]] | null;
  /** Addresses of all missing values, once there may be several. */
  cells: Set<string> | null;
}

interface CellProblem extends Problem {
  readonly cell: string;
}

const mostProblems = 500;

/** Returns the cell's problem record, and creates it if the cell has none. */
export function ensureProblemDetails(cell: { problem: ProblemDetails | null }): ProblemDetails {
  return (cell.problem ??= {
    error: null,
    isUnanswered: false,
    problems: null,
    cells: null,
  });
}

/** Adds a missing value. If two functions of a formula fail in one value, the first one's reason is the cell's. */
export function addProblem(details: ProblemDetails, problem: CellProblem): void {
  const { problems } = details;
  if (problems === null) {
    details.problems = [problem];
    return;
  }
  const cells = (details.cells ??= new Set([problems[0].cell]));
  if (cells.has(problem.cell)) return;
  cells.add(problem.cell);
  if (problems.length < mostProblems) problems.push(problem);
}

/** Updates the addresses, because a sheet was renamed. */
export function respellProblems(details: ProblemDetails, spell: (address: string) => string): void {
  details.cells = details.cells && new Set([...details.cells].map(spell));
  details.problems?.forEach((each, at, all) => (all[at] = { ...each, cell: spell(each.cell) }));
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
