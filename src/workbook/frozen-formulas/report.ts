import type { CellRef } from "../port";

/** Cells that INV didn't change, with the reason. */
export interface LeftAlone {
  readonly reason: string;
  readonly cells: readonly CellRef[];
}

export interface FreezeReport {
  readonly cells: number;
  readonly left: readonly LeftAlone[];
}

/** Returns an empty list if there are no cells. */
export function leftFor(reason: string, cells: readonly CellRef[]): LeftAlone[] {
  return cells.length === 0 ? [] : [{ reason, cells }];
}

export const lostReason = "Somebody changed the cell and its rows while INV wrote. Check what it shows";
