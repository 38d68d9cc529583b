/** Reads the selection once, for the commands that use it. */
import { InvError } from "../domain/errors";
import type { Clock } from "../engine/clock";
import type { SelectedAreas, Workbook } from "./port";

/** The host reports the selection at once, unless a chart or a shape is selected. */
const selectionWaitMs = 5_000;

/** Rejects with `bad-argument` if no cell is selected. */
export function selectedAreas(workbook: Workbook, clock: Clock): Promise<SelectedAreas> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => {
      stop();
      reject(nothingSelected());
    }, selectionWaitMs);
    const stop = workbook.onSelection((areas) => {
      clock.clearTimeout(timer);
      // In the next turn: a host may report the selection before `onSelection` has returned.
      clock.nextTurn(() => stop());
      resolve(areas);
    });
  });
}

function nothingSelected(): InvError {
  return new InvError(
    "bad-argument",
    "No cells are selected: a chart or shape is selected, or a cell is being edited. Select a cell, then try again.",
  );
}
