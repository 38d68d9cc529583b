/** What came of freezing or thawing. */
import type { CellRef } from "../port";

/** Cells that were left alone, and why, in words. */
export interface LeftAlone {
  readonly reason: string;
  readonly cells: readonly CellRef[];
}

export interface FreezeReport {
  readonly cells: number;
  readonly left: readonly LeftAlone[];
}

/** For a list: nothing where there are no cells. */
export function leftFor(reason: string, cells: readonly CellRef[]): LeftAlone[] {
  return cells.length === 0 ? [] : [{ reason, cells }];
}

export const lostReason = "Somebody changed the cell and its rows while INV wrote; check what it shows";
