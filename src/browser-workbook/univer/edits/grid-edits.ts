/**
 * Reports edits of the grid as areas of the workbook port: cells typed, pasted or cleared, and all cells after inserted or removed
 * rows and columns. If cells or sheets are moved otherwise, formulas may be anywhere afterwards.
 * A renamed sheet is reported with its old name. Results of calculations are local to the grid and are not edits.
 */
import { CommandType, ICommandService } from "@univerjs/core";
import {
  type IInsertRowMutationParams,
  type ISetWorksheetNameMutationParams,
  InsertColMutation,
  InsertRowMutation,
  MoveColsMutation,
  MoveRangeMutation,
  MoveRowsMutation,
  RemoveColMutation,
  RemoveRowMutation,
  RemoveSheetMutation,
  SetRangeValuesMutation,
  SetWorksheetNameMutation,
} from "@univerjs/preset-sheets-core";
import { sheetCols, sheetRows } from "../../../formula/columns";
import type { Area, Edit } from "../../../workbook/port";
import type { Grid } from "../grid";
import { editedCells } from "./edited-cells";

/** All cells from their range's first cell on may have moved. */
const shiftingMutations: ReadonlySet<string> = new Set(
  [InsertColMutation, InsertRowMutation, RemoveColMutation, RemoveRowMutation].map(({ id }) => id),
);
const movingMutations: ReadonlySet<string> = new Set(
  [MoveColsMutation, MoveRangeMutation, MoveRowsMutation, RemoveSheetMutation].map(({ id }) => id),
);

export function followGridEdits(grid: Grid, listener: (edit: Edit) => void): () => void {
  const commands = grid.injector.get(ICommandService);
  let from: string | undefined;
  let isShifting = false;
  const before = commands.beforeCommandExecuted(({ id, params }) => {
    if (id === SetWorksheetNameMutation.id) from = nameOf(grid, params);
  });
  const after = commands.onCommandExecuted(({ id, type, params }, options) => {
    if (type !== CommandType.MUTATION) return;
    if (movingMutations.has(id)) listener(null);
    if (shiftingMutations.has(id)) {
      isShifting = true;
      queueMicrotask(() => (isShifting = false));
      listener(shiftedArea(grid, params as IInsertRowMutationParams));
    }
    if (id === SetWorksheetNameMutation.id) {
      const to = nameOf(grid, params);
      if (from !== undefined && to !== undefined && from !== to) listener({ from, to });
    }
    // In the same turn, the grid rewrites the references of formulas to the shifted cells.
    if (id !== SetRangeValuesMutation.id || options?.onlyLocal === true || isShifting) return;
    const area = editedArea(grid, params);
    if (area !== null) listener([area]);
  });
  return () => {
    before.dispose();
    after.dispose();
  };
}

function shiftedArea(grid: Grid, params: IInsertRowMutationParams): Edit {
  const { range } = params;
  const sheet = nameOf(grid, params);
  if (sheet === undefined) return null;
  const [row, col] = [range.startRow, range.startColumn];
  return [{ sheet, row, col, rows: sheetRows - row, cols: sheetCols - col }];
}

function nameOf(grid: Grid, params: unknown): string | undefined {
  const { subUnitId } = params as Pick<ISetWorksheetNameMutationParams, "subUnitId">;
  return grid.api.getActiveWorkbook()?.getSheetBySheetId(subUnitId)?.getSheetName();
}

function editedArea(grid: Grid, params: unknown): Area | null {
  const places = editedCells(params);
  const [first] = places;
  const sheet = first && grid.api.getActiveWorkbook()?.getSheetBySheetId(first.sheetId)?.getSheetName();
  if (first === undefined || sheet === undefined) return null;
  let { row, col } = first;
  let lastRow = row;
  let lastCol = col;
  for (const place of places) {
    row = Math.min(row, place.row);
    col = Math.min(col, place.col);
    lastRow = Math.max(lastRow, place.row);
    lastCol = Math.max(lastCol, place.col);
  }
  return { sheet, row, col, rows: lastRow - row + 1, cols: lastCol - col + 1 };
}
