/**
 * Reports edits of the grid as areas of the workbook port: cells typed, pasted or cleared. If rows, columns, cells or
 * sheets are added, removed or moved, formulas may be anywhere afterwards.
 * A renamed sheet is reported with its old name. Results of calculations are local to the grid and are not edits.
 */
import { CommandType, ICommandService } from "@univerjs/core";
import {
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
import type { Area, Edit } from "../../../workbook/port";
import type { Grid } from "../grid";
import { editedCells } from "./edited-cells";

const movingMutations: ReadonlySet<string> = new Set(
  [
    InsertColMutation,
    InsertRowMutation,
    MoveColsMutation,
    MoveRangeMutation,
    MoveRowsMutation,
    RemoveColMutation,
    RemoveRowMutation,
    RemoveSheetMutation,
  ].map(({ id }) => id),
);

export function followGridEdits(grid: Grid, listener: (edit: Edit) => void): void {
  const commands = grid.injector.get(ICommandService);
  let from: string | undefined;
  commands.beforeCommandExecuted(({ id, params }) => {
    if (id === SetWorksheetNameMutation.id) from = nameOf(grid, params);
  });
  commands.onCommandExecuted(({ id, type, params }, options) => {
    if (type !== CommandType.MUTATION) return;
    if (movingMutations.has(id)) listener(null);
    if (id === SetWorksheetNameMutation.id) {
      const to = nameOf(grid, params);
      if (from !== undefined && to !== undefined && from !== to) listener({ from, to });
    }
    if (id !== SetRangeValuesMutation.id || options?.onlyLocal === true) return;
    const area = editedArea(grid, params);
    if (area !== null) listener([area]);
  });
}

function nameOf(grid: Grid, params: unknown): string | undefined {
  const { subUnitId } = params as ISetWorksheetNameMutationParams;
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
