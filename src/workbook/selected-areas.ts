/** What is selected now, asked once, for the commands that act on the selection. */
import { InvError } from "../domain/errors";
import type { Clock } from "../engine/clock";
import type { SelectedAreas, Workbook } from "./port";

/** The host tells the selection at once, unless no cell is selected (a chart, a shape). */
const selectionWaitMs = 5_000;

/** Rejects with `bad-argument` where no cell is selected. */
export function selectedAreas(workbook: Workbook, clock: Clock): Promise<SelectedAreas> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => {
      stop();
      reject(nothingSelected());
    }, selectionWaitMs);
    const stop = workbook.onSelection((areas) => {
      clock.clearTimeout(timer);
      // Later, because a host may tell the selection before it has handed out the way to stop.
      clock.nextTurn(() => stop());
      resolve(areas);
    });
  });
}

function nothingSelected(): InvError {
  return new InvError(
    "bad-argument",
    "Expected selected cells; none is told: a chart or a shape is selected, or a cell is being edited. Click a cell and try again.",
  );
}
