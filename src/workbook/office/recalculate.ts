/**
 * Recalculates cells in Excel: merges them into areas and marks these as dirty. In automatic mode, Excel then calculates the
 * dirty cells and all that depend on them; a range's own `calculate` reaches only direct dependents (reported). In manual mode
 * INV uses `calculate`, so that formulas whose owner waits for F9 stay unchanged. If the cells of one sheet can't be marked (it
 * is deleted or protected), INV still marks those of other sheets, and returns the refused ones.
 * Lists of areas (`getRanges`) would be shorter, but Excel expects them with the list separator of the person's settings,
 * which no API returns (office-js 1167, 1985 and 2891).
 */
import type { InvError } from "../../domain/errors";
import { bySheet, mergeCells } from "../cell-areas";
import type { Area, CellRef, RefusedCells } from "../port";
import { rangeOf } from "./area";
import { fromOfficeError } from "./errors";
import { splitByTrip } from "./limits";

export async function recalculateInOffice(
  context: Excel.RequestContext,
  cells: readonly CellRef[],
): Promise<readonly RefusedCells[]> {
  if (cells.length === 0) return [];
  const { application } = context.workbook;
  const refused: RefusedCells[] = [];
  let failure: InvError | null = null;
  const marked: Area[] = [];
  for (const areas of splitByTrip(mergeCells(cells))) {
    if ((await mark(areas)) === null) continue;
    for (const [, sheetAreas] of bySheet(areas)) {
      const error = await mark(sheetAreas);
      if (error === null) continue;
      failure ??= error;
      refused.push({ areas: sheetAreas, reason: error.message });
    }
  }
  if (failure !== null && marked.length === 0) throw failure;
  if (application.calculationMode === "Manual") {
    for (const areas of splitByTrip(marked)) {
      for (const area of areas) rangeOf(context, area).calculate();
      await context.sync();
    }
  } else {
    application.calculate("Recalculate");
    await context.sync();
  }
  return refused;

  /** Returns the error if Excel refuses. Loads the calculation mode in the same batch. */
  async function mark(areas: readonly Area[]): Promise<InvError | null> {
    application.load("calculationMode");
    for (const area of areas) rangeOf(context, area).setDirty();
    try {
      await context.sync();
      marked.push(...areas);
      return null;
    } catch (error) {
      return fromOfficeError(error);
    }
  }
}
