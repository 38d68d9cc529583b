/** Builds the address of a calling cell in the form that Excel passes to a function. */
import { columnName } from "../formula/columns";
import { functionAddress } from "../workbook/addresses";

/** @param row counts from 0, as `col` does */
export function callerAddress(sheetName: string, row: number, col: number): string {
  return functionAddress(sheetName, `${columnName(col)}${row + 1}`);
}
