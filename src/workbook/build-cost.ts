/** What INV cells cost before somebody adds them, and whether the workbook calculates all of them: the browser workbook has a limit. */
import type { Price } from "../engine/types";
import { findInvFormulas } from "./formula-search";
import type { Workbook } from "./port";

export interface BuildCost {
  /** Of what isn't cached. */
  readonly price: Price;
  /** Whether a part of the cost can't be predicted. */
  readonly isPartial: boolean;
  /** See `PlannedWork`. */
  readonly atMostWhole: number;
  /** Null if the workbook calculates all INV cells. */
  readonly tooMany: TooManyCells | null;
}

/** The number of INV cells that the workbook would have, and how many of them it calculates. */
export interface TooManyCells {
  readonly cells: number;
  readonly most: number;
}

/**
 * Returns null if the workbook calculates all of them.
 * @param added counts the new INV cells; called only if there is a limit
 */
export async function findTooManyCells(
  workbook: Pick<Workbook, "mostInvCells" | "names" | "findFormulas">,
  added: () => number,
): Promise<TooManyCells | null> {
  const most = workbook.mostInvCells;
  if (most === null) return null;
  const cells = (await findInvFormulas(workbook)).length + added();
  return cells > most ? { cells, most } : null;
}
