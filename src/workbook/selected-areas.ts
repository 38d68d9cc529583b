/** Reads the current selection, and the filled cells of an area. */
import { InvError } from "../domain/errors";
import type { Clock } from "../engine/clock";
import { isBlank } from "./cell-content";
import type { Area, CellValue, SelectedAreas, Workbook } from "./port";

/**
 * The host reports the selection at once, unless a chart or a shape is selected. After this time, nothing counts as selected.
 */
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
      // Unsubscribe in the next turn: a host may report the selection before `onSelection` has returned.
      clock.nextTurn(() => stop());
      resolve(areas);
    });
  });
}

export function changedMeanwhile(sheet: string): InvError {
  return new InvError("not-possible", `The sheet "${sheet}" changed while INV worked on it. Try again.`);
}

const rowsPerPart = 2_000;

/** Reads an area in parts, up to the first empty part, so that people can select whole columns. */
export async function readFilled(workbook: Workbook, area: Area): Promise<CellValue[][]> {
  const values: CellValue[][] = [];
  for (let from = 0; from < area.rows; from += rowsPerPart) {
    const rows = Math.min(rowsPerPart, area.rows - from);
    const part = await workbook.read({ ...area, row: area.row + from, rows }, "values");
    values.push(...part);
    if (part.every((line) => line.every(isBlank))) break;
  }
  return values;
}

function nothingSelected(): InvError {
  return new InvError(
    "not-possible",
    "No cells are selected: a chart or shape is selected, or a cell is being edited. Select a cell, then try again.",
  );
}
