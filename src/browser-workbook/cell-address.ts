/** The address of a calling cell, as Excel tells it to a function. */
import { columnName } from "../formula/columns";
import { functionAddress } from "../workbook/addresses";

/** Rows and columns count from 0. */
export function callerAddress(sheetName: string, row: number, col: number): string {
  return functionAddress(sheetName, `${columnName(col)}${row + 1}`);
}
