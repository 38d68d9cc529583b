/** Counts the values that a refresh received, and those without an answer. A grid counts once for each item at each store. */
import type { CellRegister, InvCell } from "../../cells/cell-register";
import { countItems } from "../../cells/unanswered-items";
import type { InvError } from "../../domain/errors";
import type { Clock } from "../../engine/clock";
import { inTimeSlices } from "../in-time-slices";
import { type Target, useOf } from "./targets";

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
    const use = useOf(cells, target);
    if (use === undefined || !showsValues(use)) return;
    const items = countItems(use);
    answered += items.items - items.unanswered;
    unanswered += items.unanswered;
    if (use.unansweredBecause !== null) reasons.push(use.unansweredBecause);
  });
  return { answered, unanswered, reasons };
}

/** Returns whether no cell waits or lacks an answer, and all values of these cells were fetched since this time. */
export function hasNewAnswers(cells: CellRegister, targets: readonly Target[], sinceMs: number): boolean {
  const { waiting, latestUnanswered } = cells.summary();
  if (waiting > 0 || latestUnanswered > 0) return false;
  let hasValue = false;
  for (const target of targets) {
    const fetchedAtMs = useOf(cells, target)?.oldestMs ?? null;
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
  const uses = targets.flatMap((target) => useOf(cells, target) ?? []).filter(showsValues);
  cells.noteNotRefreshed(
    uses.map(({ address }) => address),
    because,
  );
  const unanswered = uses.reduce((sum, use) => sum + countItems(use).items, 0);
  return { unanswered, unansweredCells: uses.length };
}

/** Returns whether the cell shows values of the service, and not only the age of other values. */
function showsValues({ asked, isStaleMark }: InvCell): boolean {
  return asked !== null && !isStaleMark;
}
