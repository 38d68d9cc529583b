/** What both adapters of the port need to replace the contents of cells: which cells change, which differ, and why INV refuses. */
import { InvError } from "../domain/errors";
import { areaAddress } from "./addresses";
import { visitCells } from "./cell-areas";
import type { Area, CellChange, CellRef, CellValue } from "./port";

export type Changes = readonly (readonly (CellChange | null)[])[];

export interface PlannedCell extends CellChange {
  readonly ref: CellRef;
}

export function plannedCells(area: CellRef, changes: Changes): readonly PlannedCell[] {
  const cells: PlannedCell[] = [];
  visitCells(area, changes, (change, ref) => {
    if (change !== null) cells.push({ ref, ...change });
  });
  return cells;
}

export function isDifferent({ from }: CellChange, content: CellValue): boolean {
  return from !== undefined && from !== content;
}

/** Whether a cell formatted as text would turn the content into text. */
export function needsGeneral(to: CellValue | undefined): boolean {
  return typeof to === "number" || (typeof to === "string" && to.startsWith("="));
}

export type Obstacle = "protected" | "merged" | "array";

const reasons: Readonly<Record<Obstacle, string>> = {
  protected: "is protected. Unprotect the sheet",
  merged: "contains merged cells. Unmerge them",
  array: "contains a formula that fills several cells. Clear it or choose other cells",
};

export function cannotReplace(area: Area, obstacle: Obstacle): InvError {
  return new InvError(
    "not-possible",
    `INV can't write into ${areaAddress(area)} of the sheet "${area.sheet}", because it ${reasons[obstacle]}, then try again.`,
  );
}
