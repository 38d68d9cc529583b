/**
 * Recalculates cells in Excel: merges them into areas and marks these as dirty. In automatic mode, Excel then calculates the
 * dirty cells and all that depend on them; a range's own `calculate` reaches only direct dependents (reported). In manual mode
 * INV uses `calculate`, so that formulas whose owner waits for F9 stay unchanged. If the cells of one sheet can't be marked (it
 * is deleted or protected), INV still marks those of other sheets.
 */
import type { AreaList, AreaLists } from "./area-lists";
import { fromOfficeError } from "./errors";
import type { CellRef } from "../port";

export async function recalculateInOffice(
  context: Excel.RequestContext,
  cells: readonly CellRef[],
  lists: AreaLists,
): Promise<void> {
  if (cells.length === 0) return;
  const { application } = context.workbook;
  const failures: unknown[] = [];
  const marked: AreaList[][] = await markCells(cells);
  if (marked.length === 0) throw fromOfficeError(failures[0]);
  if (application.calculationMode === "Manual") {
    for (const together of marked) {
      for (const areas of lists.ranges(context, together)) areas.calculate();
      await context.sync();
    }
  } else {
    application.calculate("Recalculate");
    await context.sync();
  }
  if (failures.length > 0) throw fromOfficeError(failures[0]);

  /**
   * Marks the cells and returns those that were marked. Starts again if Excel needs another separator; marking twice is
   * harmless.
   */
  async function markCells(refs: readonly CellRef[]): Promise<AreaList[][]> {
    const done: AreaList[][] = [];
    for (const together of lists.portions(refs)) {
      const ofThese = await markAll(together);
      if (ofThese === "otherwise") return markCells(refs);
      if (ofThese.length > 0) done.push(ofThese);
    }
    return done;
  }

  /** Marks these lists together. If Excel refuses, it marks them sheet by sheet. */
  async function markAll(together: readonly AreaList[]): Promise<AreaList[] | "otherwise"> {
    try {
      await mark(together);
      return [...together];
    } catch (error) {
      if (lists.learnFrom(error, together)) return "otherwise";
      const done: AreaList[] = [];
      for (const sheet of new Set(together.map((list) => list.sheet))) {
        const own = together.filter((list) => list.sheet === sheet);
        try {
          await mark(own);
          done.push(...own);
        } catch (reason) {
          if (lists.learnFrom(reason, own)) return "otherwise";
          failures.push(reason);
        }
      }
      return done;
    }
  }

  /** Loads the calculation mode in the same batch. If the batch fails, nothing is loaded. */
  async function mark(together: readonly AreaList[]): Promise<void> {
    application.load("calculationMode");
    for (const areas of lists.ranges(context, together)) areas.setDirty();
    await context.sync();
  }
}
