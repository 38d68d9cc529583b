/**
 * Private: `LocalUndoRedoService._tryBatchingElements`. Groups several commands into one undo step. The grid undoes a group in
 * its original order, and stops at the first command whose sheet is gone. Here the last command is undone first.
 */
import { type IDisposable, type IUndoRedoItem, IUndoRedoService } from "@univerjs/core";
import type { Grid } from "../grid";
import { replaceMember } from "./replace-member";

interface Groups {
  _tryBatchingElements(group: IUndoRedoItem, next: IUndoRedoItem): void;
}

/** Makes everything until it is disposed of one undo step. */
export function groupUndo(grid: Grid): IDisposable {
  const undo = grid.injector.get(IUndoRedoService);
  const name = { of: "LocalUndoRedoService", member: "_tryBatchingElements" } as const;
  replaceMember(undo as unknown as Groups, name, () => joinLastFirst);
  const unitId = grid.api.getActiveWorkbook()?.getId() ?? "";
  // oxlint-disable-next-line typescript/no-deprecated -- the grid has no other way to group.
  return undo.__tempBatchingUndoRedo(unitId);
}

function joinLastFirst(group: IUndoRedoItem, next: IUndoRedoItem): void {
  group.redoMutations.push(...next.redoMutations);
  group.undoMutations.unshift(...next.undoMutations);
}
