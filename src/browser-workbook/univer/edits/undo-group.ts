/**
 * What several commands do as one undo. The grid takes a group back in the order in which it was done, and stops at the
 * first command that finds its sheet gone: a new sheet went, what came after it stayed, and so did the undo. Here the
 * last is taken back first.
 */
import { type IDisposable, type IUndoRedoItem, IUndoRedoService } from "@univerjs/core";
import type { Grid } from "../create-grid";

/** Until it is disposed of, what is done to the workbook is one undo. */
export function groupUndo(grid: Grid): IDisposable {
  const undo = grid.injector.get(IUndoRedoService);
  // Its own way of joining is not open to others, and has no other seam.
  Reflect.set(undo, "_tryBatchingElements", joinLastFirst);
  const unitId = grid.api.getActiveWorkbook()?.getId() ?? "";
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the grid has no other way to group.
  return undo.__tempBatchingUndoRedo(unitId);
}

function joinLastFirst(group: IUndoRedoItem, next: IUndoRedoItem): void {
  group.redoMutations.push(...next.redoMutations);
  group.undoMutations.unshift(...next.undoMutations);
}
