/**
 * What is true of a cell of a refresh: whether marking it once more may help, and in the end whether it is refreshed, left with a reason,
 * or wasn't called by Excel.
 */
import { needsAnswers } from "../../cells/cell-record";
import { InvError } from "../../domain/errors";
import { cellAddresses } from "../addresses";
import { isBlank, isError } from "../cell-content";
import { isPending } from "../still-waiting";
import type { Marks, OpenCell } from "./marks";
import type { Outcomes } from "./outcomes";
import { invCellOf, placeOf, type RefreshCell, type RefreshContext } from "./scopes";
import { showsOther } from "./shown";

/** A cell that Excel hasn't called, though it was marked: its IF skips INV, or Excel can't calculate it. */
export interface UncalledCell {
  readonly cell: RefreshCell;
  /** Whether it shows an error or #BUSY!, so that somebody should look at it. */
  readonly showsError: boolean;
}

const mostMarks = 2;

const stoppedBefore = new InvError("cancelled", "Cancelled before the new answer was in the sheet.");
const otherConnection = new InvError(
  "cancelled",
  "The environment or its credentials changed during the refresh. Refresh again.",
);
const notCalculated = new InvError(
  "not-possible",
  "Excel doesn't show the new value. Refresh again. If #BUSY! stays, save the workbook, close it and open it again.",
);

export type Verdicts = ReturnType<typeof createVerdicts>;

export function createVerdicts(
  { engine, cells }: Pick<RefreshContext, "engine" | "cells">,
  run: { readonly marks: Marks; readonly outcomes: Outcomes; isStopped(): boolean },
) {
  const { marks, outcomes, isStopped } = run;
  const { isRefreshed, failureOf } = outcomes;

  /** Whether Excel has called the cell, and it shows something else than INV returned. */
  const isOther = (each: OpenCell): boolean =>
    marks.isCalled(each) && showsOther(each.shown, each.cell, invCellOf(cells, each.cell));

  /** Returns whether Excel has calculated the cell, and it asks for nothing. */
  function turnedOutEmpty(cell: RefreshCell): boolean {
    const invCell = invCellOf(cells, cell);
    return invCell !== undefined && invCell.state !== "waiting" && !needsAnswers(invCell);
  }

  return {
    isOther,
    /** Whether marking the cell once more may help. */
    isUnsure(each: OpenCell): boolean {
      const { cell, shown, marks: times, refusal: refused } = each;
      if (refused !== null || times >= mostMarks) return false;
      if (each.isRefreshed) return isOther(each);
      if (failureOf(cell) !== null) return false;
      if (shown !== undefined && !marks.isCalled(each)) {
        if (cell.isChoosing && isBlank(shown)) return false;
        // Excel can't call a function that it doesn't know there.
        if (isError(shown) && shown.error === "#NAME?") return false;
      }
      return isOther(each) || (!turnedOutEmpty(cell) && !isRefreshed(cell));
    },
    /** Returns how the refresh of a cell has ended; an error is the reason for which it is left. */
    verdictOn(
      cell: RefreshCell,
      each: OpenCell | undefined,
    ): "refreshed" | "needs nothing" | "uncalled" | InvError {
      const isNew = isRefreshed(cell);
      const because = outcomes.refusal() ?? each?.refusal ?? (isNew ? null : failureOf(cell));
      if (because !== null) return because;
      if (outcomes.stage() !== "before" && !engine.hasRefresh) return otherConnection;
      if (each !== undefined && isOther(each)) return isStopped() ? stoppedBefore : notCalculated;
      if (turnedOutEmpty(cell)) return "needs nothing";
      if (isNew) return "refreshed";
      if (isStopped()) return stoppedBefore;
      return each !== undefined && marks.isCalled(each) ? notCalculated : "uncalled";
    },
    /** The old value of a cell whose IF skips INV now isn't shown any more. */
    noteUncalled(cell: RefreshCell, each: OpenCell | undefined): UncalledCell {
      const shown = each?.shown;
      if (cell.isChoosing && shown !== undefined && isBlank(shown)) {
        cells.forget(cellAddresses(placeOf(cell)));
      }
      return { cell, showsError: shown !== undefined && (isError(shown) || isPending(shown)) };
    },
  };
}
