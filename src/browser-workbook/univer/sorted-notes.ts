/**
 * Moves notes with their rows when a list is sorted. The grid moves them one by one in an index by cell, so a note
 * that arrives before the previous one has left disappears from the index, and the next sort loses it. Here all
 * notes are removed first and added again afterwards.
 */
import type { IMutationInfo } from "@univerjs/core";
import {
  type IReorderRangeCommandParams,
  ReorderRangeCommand,
  SheetInterceptorService,
} from "@univerjs/preset-sheets-core";
import {
  type ISheetNote,
  RemoveNoteMutation,
  SheetsNoteModel,
  UpdateNoteMutation,
} from "@univerjs/preset-sheets-note";
import type { Grid } from "./create-grid";

export function moveNotesWithRows({ injector }: Grid): void {
  const notes = injector.get(SheetsNoteModel);
  injector.get(SheetInterceptorService).interceptCommand({
    getMutations({ id, params }) {
      if (id !== ReorderRangeCommand.id) return { redos: [], undos: [] };
      const sorting = params as IReorderRangeCommandParams;
      const moves = movesOf(sorting, notes.getSheetNotes(sorting.unitId, sorting.subUnitId));
      const place = { unitId: sorting.unitId, sheetId: sorting.subUnitId };
      const takeUp = moves.map(({ note }) => mutation(RemoveNoteMutation.id, place, { noteId: note.id }));
      const putDown = (to: (move: Move) => number) =>
        moves.map((move) => {
          const { note } = move;
          return mutation(UpdateNoteMutation.id, place, { row: to(move), col: note.col, note });
        });
      return {
        preRedos: takeUp,
        redos: putDown(({ row }) => row),
        preUndos: takeUp,
        undos: putDown(({ note }) => note.row),
      };
    },
  });
}

interface Move {
  readonly note: ISheetNote;
  /** The row after sorting. */
  readonly row: number;
}

function movesOf(
  { range, order }: IReorderRangeCommandParams,
  notes: ReadonlyMap<string, ISheetNote> = new Map(),
): Move[] {
  const { startColumn, endColumn } = range;
  const rowsTo = new Map(Object.entries(order).map(([to, from]) => [from, Number(to)]));
  return [...notes.values()].flatMap((note) => {
    const row = rowsTo.get(note.row);
    return row === undefined || note.col < startColumn || note.col > endColumn ? [] : [{ note, row }];
  });
}

function mutation(id: string, place: object, params: object): IMutationInfo {
  return { id, params: { ...place, ...params } };
}
