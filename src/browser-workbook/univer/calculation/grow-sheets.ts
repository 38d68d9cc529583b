/** Extends sheets for arrays that reach beyond their last row or column, without an undo step: no person asked for it. */
import { ICommandService, type IRange } from "@univerjs/core";
import {
  type IAllRuntimeData,
  SetWorksheetColumnCountMutation,
  SetWorksheetRowCountMutation,
} from "@univerjs/preset-sheets-core";
import type { Grid } from "../create-grid";

export function growSheetsForSpills(
  { api, injector }: Grid,
  ranges: IAllRuntimeData["arrayFormulaRange"],
): void {
  const commands = injector.get(ICommandService);
  const book = api.getActiveWorkbook()?.getWorkbook();
  for (const [unitId, sheets] of Object.entries(ranges)) {
    for (const [subUnitId, rows] of Object.entries(sheets ?? {})) {
      const sheet = book?.getSheetBySheetId(subUnitId);
      const spilled = Object.values(rows as Record<string, Record<string, IRange>>).flatMap((cells) =>
        Object.values(cells),
      );
      const rowCount = spilled.reduce((most, { endRow }) => Math.max(most, endRow + 1), 0);
      const columnCount = spilled.reduce((most, { endColumn }) => Math.max(most, endColumn + 1), 0);
      if (sheet && rowCount > sheet.getRowCount()) {
        commands.syncExecuteCommand(SetWorksheetRowCountMutation.id, { unitId, subUnitId, rowCount });
      }
      if (sheet && columnCount > sheet.getColumnCount()) {
        commands.syncExecuteCommand(SetWorksheetColumnCountMutation.id, { unitId, subUnitId, columnCount });
      }
    }
  }
}
