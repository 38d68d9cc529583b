/** Counts the values that a refresh received, and those without an answer. A grid counts once for each item at each store. */
import type { CellRegister, InvCell } from "../../cells/cell-register";
import { countItems } from "../../cells/unanswered-items";
import type { InvError } from "../../domain/errors";
import type { Clock } from "../../engine/clock";
import { inTimeSlices } from "../in-time-slices";
import { type Target, invCellOf } from "./targets";

export interface AnswerCounts {
  readonly answered: number;
  readonly unanswered: number;
  /** Why cells have unanswered values: one reason for each such cell, in the order of the cells. */
  readonly reasons: readonly InvError[];
}

export async function countAnswers(
  { cells, clock }: { readonly cells: CellRegister; readonly clock: Clock },
  targets: readonly Target[],
): Promise<AnswerCounts> {
  const reasons: InvError[] = [];
  let answered = 0;
  let unanswered = 0;
  await inTimeSlices(clock, targets, (target) => {
    const invCell = invCellOf(cells, target);
    if (invCell === undefined || !showsValues(invCell)) return;
    const items = countItems(invCell);
    answered += items.items - items.unanswered;
    unanswered += items.unanswered;
    if (invCell.unansweredBecause !== null) reasons.push(invCell.unansweredBecause);
  });
  return { answered, unanswered, reasons };
}

/** Returns whether no cell waits or lacks an answer, and all values of these cells were fetched since this time. */
export function hasNewAnswers(cells: CellRegister, targets: readonly Target[], sinceMs: number): boolean {
  const { waiting, latestUnanswered } = cells.summary();
  if (waiting > 0 || latestUnanswered > 0) return false;
  let hasValue = false;
  for (const target of targets) {
    const fetchedAtMs = invCellOf(cells, target)?.oldestMs ?? null;
    if (fetchedAtMs !== null && fetchedAtMs < sinceMs) return false;
    hasValue ||= fetchedAtMs !== null;
  }
  return hasValue;
}

/**
 * Records that a refresh brought no new values for these cells, because none was recalculated. Returns how many cells show
 * values, and how many values.
 */
export function recordNotRefreshed(
  cells: CellRegister,
  targets: readonly Target[],
  because: InvError,
): { readonly unanswered: number; readonly unansweredCells: number } {
  const invCells = targets.flatMap((target) => invCellOf(cells, target) ?? []).filter(showsValues);
  cells.noteNotRefreshed(
    invCells.map(({ address }) => address),
    because,
  );
  const unanswered = invCells.reduce((sum, invCell) => sum + countItems(invCell).items, 0);
  return { unanswered, unansweredCells: invCells.length };
}

/** Returns whether the cell shows values of the service, and not only the age of other values. */
function showsValues({ queries, isStaleMark }: InvCell): boolean {
  return queries !== null && !isStaleMark;
}
