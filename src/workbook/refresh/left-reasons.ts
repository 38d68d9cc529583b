/** Why a refresh has left cells as they are. */
import { InvError } from "../../domain/errors";
import { isAnswered, type Outcome } from "../../engine/types";

export const stoppedBefore = new InvError("cancelled", "Cancelled before the new answer was in the sheet.");
export const movedMeanwhile = new InvError(
  "not-possible",
  "Somebody inserted, deleted or moved cells during the refresh, so INV couldn't follow it. Refresh again.",
);
export const notCalculated = new InvError(
  "not-possible",
  "Excel skipped the calculation. If #BUSY! stays, save the workbook, close it and open it again. A cell whose IF skips INV now is right as it is.",
);

/** Returns why there is no new answer; null if there is one. */
export function reasonIn(outcome: Outcome<unknown>): InvError | null {
  return isAnswered(outcome) ? (outcome.staleBecause ?? null) : outcome;
}
