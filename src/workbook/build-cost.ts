/** What INV cells cost before somebody adds them, and whether the workbook calculates all of them: the browser workbook has a limit. */
import type { Price } from "../engine/types";
import { count } from "../domain/number-words";
import { findInvFormulas, invMatcher } from "./formula-search";
import type { CellContent, Workbook } from "./port";

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
  readonly maxCells: number;
}

/**
 * Returns null if the workbook calculates all of them.
 * @param added the formulas of new cells, and other contents; called only if there is a limit
 */
export async function findTooManyCells(
  workbook: Pick<Workbook, "mostInvCells" | "names" | "findFormulas">,
  added: () => readonly CellContent[],
): Promise<TooManyCells | null> {
  const maxCells = workbook.mostInvCells;
  if (maxCells === null) return null;
  const isInv = await invMatcher(workbook);
  const isAdded = (content: CellContent) => typeof content === "string" && isInv(content);
  const cells = (await findInvFormulas(workbook)).length + added().filter(isAdded).length;
  return cells > maxCells ? { cells, maxCells } : null;
}

export function tooManyWords({ cells, maxCells }: TooManyCells): string {
  return `This workbook calculates at most ${count(maxCells)} INV cells, and would have ${count(cells)}. Use fewer rows, or INV in Excel.`;
}
