import type { CellRef } from "../port";

/** Cells that INV didn't change, with the reason. */
export interface SkippedCells {
  readonly reason: string;
  readonly cells: readonly CellRef[];
}

export interface FreezeReport {
  readonly cells: number;
  readonly skipped: readonly SkippedCells[];
}

/** Returns an empty list if there are no cells. */
export function skippedFor(reason: string, cells: readonly CellRef[]): SkippedCells[] {
  return cells.length === 0 ? [] : [{ reason, cells }];
}

export const lostReason = "Somebody changed the cell and its rows while INV wrote. Check what it shows";
