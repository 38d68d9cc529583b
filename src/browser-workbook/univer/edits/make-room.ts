/** Lets a sheet grow where something is written beyond its edge; the grid itself would refuse or drop it. */
import type { FWorksheet } from "@univerjs/preset-sheets-core";
import type { Rectangle } from "../cell-reader";

/** Rows kept free below what is written, so that formulas there have room to spill. */
const spareRows = 100;

export function makeRoom(sheet: FWorksheet, area: Rectangle): void {
  if (area.row + area.rows > sheet.getMaxRows()) sheet.setRowCount(area.row + area.rows + spareRows);
  if (area.col + area.cols > sheet.getMaxColumns()) sheet.setColumnCount(area.col + area.cols);
}
