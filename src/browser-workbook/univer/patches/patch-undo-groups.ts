/**
 * Private: `LocalUndoRedoService._tryBatchingElements`. Groups several commands into one undo step. The grid undoes a group in
 * the order in which it was done, and stops at the first command that finds its sheet gone. Here the last is undone first.
 */
import { type IDisposable, type IUndoRedoItem, IUndoRedoService } from "@univerjs/core";
import type { Grid } from "../create-grid";
import { replaceMember } from "./replace-member";

interface Groups {
  _tryBatchingElements(group: IUndoRedoItem, next: IUndoRedoItem): void;
}

/** Until it is disposed of, what is done to the workbook is one undo step. */
export function groupUndo(grid: Grid): IDisposable {
  const undo = grid.injector.get(IUndoRedoService);
  const name = { of: "LocalUndoRedoService", member: "_tryBatchingElements" } as const;
  replaceMember(undo as unknown as Groups, name, () => joinLastFirst);
  const unitId = grid.api.getActiveWorkbook()?.getId() ?? "";
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the grid has no other way to group.
  return undo.__tempBatchingUndoRedo(unitId);
}

function joinLastFirst(group: IUndoRedoItem, next: IUndoRedoItem): void {
  group.redoMutations.push(...next.redoMutations);
  group.undoMutations.unshift(...next.undoMutations);
}
