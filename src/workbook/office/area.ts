/** Translates between ranges of Excel and areas of the port. */
import type { Area } from "../port";

export function rangeOf(
  { workbook }: Excel.RequestContext,
  { sheet, row, col, rows, cols }: Area,
): Excel.Range {
  return workbook.worksheets.getItem(sheet).getRangeByIndexes(row, col, rows, cols);
}

/** The range's rowIndex, columnIndex, rowCount and columnCount must be loaded. */
export function areaOf(sheet: string, range: Excel.Range): Area {
  return {
    sheet,
    row: range.rowIndex,
    col: range.columnIndex,
    rows: range.rowCount,
    cols: range.columnCount,
  };
}
