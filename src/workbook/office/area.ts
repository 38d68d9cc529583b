/** Converts between Excel's ranges and the port's areas. */
import type { Area } from "../port";

export function rangeOf(
  { workbook }: Excel.RequestContext,
  { sheet, row, col, rows, cols }: Area,
): Excel.Range {
  return workbook.worksheets.getItem(sheet).getRangeByIndexes(row, col, rows, cols);
}

/** Returns the range as an area. Its rowIndex, columnIndex, rowCount and columnCount must be loaded. */
export function areaOf(sheet: string, range: Excel.Range): Area {
  return {
    sheet,
    row: range.rowIndex,
    col: range.columnIndex,
    rows: range.rowCount,
    cols: range.columnCount,
  };
}
