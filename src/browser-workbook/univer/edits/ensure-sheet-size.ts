/** Enlarges a sheet if something is written beyond its edge, which the grid itself would refuse or drop. */
import type { FWorksheet } from "@univerjs/preset-sheets-core";
import type { Rectangle } from "../cell-reader";

/** Free rows below the written area, so that formulas there have room to spill. */
const spareRows = 100;

export function ensureSheetSize(sheet: FWorksheet, area: Rectangle): void {
  if (area.row + area.rows > sheet.getMaxRows()) sheet.setRowCount(area.row + area.rows + spareRows);
  if (area.col + area.cols > sheet.getMaxColumns()) sheet.setColumnCount(area.col + area.cols);
}
