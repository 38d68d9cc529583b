/** Where a range of Excel lies, as an area of the port. */
import type { Area } from "../port";

/** The range's rowIndex, columnIndex, rowCount and columnCount have been loaded. */
export function areaOf(sheet: string, range: Excel.Range): Area {
  return {
    sheet,
    row: range.rowIndex,
    col: range.columnIndex,
    rows: range.rowCount,
    cols: range.columnCount,
  };
}
