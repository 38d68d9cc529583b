/**
 * Recalculating the given cells in Excel: they are merged into areas and marked dirty. In automatic mode
 * Excel then calculates what is dirty, and all that depends on it, however many steps away; a range's own
 * `calculate` reaches the next formulas only (reported). In manual mode only that is used, so that formulas
 * whose owner waits for F9 stay as they are. What cannot be marked, for a sheet that is gone or protected,
 * costs the other sheets nothing.
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

  /** What could be marked. Begins anew where Excel wants the areas named another way: a mark made twice is one. */
  async function markCells(refs: readonly CellRef[]): Promise<AreaList[][]> {
    const done: AreaList[][] = [];
    for (const together of lists.portions(refs)) {
      const ofThese = await markAll(together);
      if (ofThese === "otherwise") return markCells(refs);
      if (ofThese.length > 0) done.push(ofThese);
    }
    return done;
  }

  /** Marks these together, or else sheet by sheet: every sheet that can be marked is. */
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

  /** What is asked for with the mark comes with it: a batch that fails delivers nothing. */
  async function mark(together: readonly AreaList[]): Promise<void> {
    application.load("calculationMode");
    for (const areas of lists.ranges(context, together)) areas.setDirty();
    await context.sync();
  }
}
