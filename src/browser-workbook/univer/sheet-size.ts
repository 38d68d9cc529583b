/** Sheets grow for what is written, or what an array fills, beyond their edge, which the grid itself would refuse or drop. */
import { ICommandService, type IRange } from "@univerjs/core";
import {
  type FWorksheet,
  type IAllRuntimeData,
  SetWorksheetColumnCountMutation,
  SetWorksheetRowCountMutation,
} from "@univerjs/preset-sheets-core";
import type { CellArea } from "../../formula/cells";
import { columnName, sheetCols, sheetRows } from "../../formula/columns";
import type { Grid } from "./grid";

/** Free rows below the written area, so that formulas there have room to spill. */
const spareRows = 100;

/** Throws where Excel's sheets end. */
export function ensureSheetSize(sheet: FWorksheet, area: CellArea): void {
  if (area.row + area.rows > sheetRows || area.col + area.cols > sheetCols) {
    const last = `${columnName(sheetCols - 1)}${sheetRows}`;
    throw new Error(`They would reach beyond ${last}, where a sheet ends. Use fewer cells, or more sheets.`);
  }
  if (area.row + area.rows > sheet.getMaxRows()) sheet.setRowCount(area.row + area.rows + spareRows);
  if (area.col + area.cols > sheet.getMaxColumns()) sheet.setColumnCount(area.col + area.cols);
}

/** Without an undo step: no person asked for it. */
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
      const rowCount = spilled.reduce((max, { endRow }) => Math.max(max, endRow + 1), 0);
      const columnCount = spilled.reduce((max, { endColumn }) => Math.max(max, endColumn + 1), 0);
      if (sheet && rowCount > sheet.getRowCount()) {
        commands.syncExecuteCommand(SetWorksheetRowCountMutation.id, { unitId, subUnitId, rowCount });
      }
      if (sheet && columnCount > sheet.getColumnCount()) {
        commands.syncExecuteCommand(SetWorksheetColumnCountMutation.id, { unitId, subUnitId, columnCount });
      }
    }
  }
}
