/**
 * Addresses of the cells a formula spills into, so that a problem in row 40 of a spilled column is found
 * there and not only at the formula. An address that is not understood stays as the host gave it.
 */
import { columnIndex, columnName } from "../domain/columns";

const shape = /^(.*!)?\$?([A-Z]{1,3})\$?(\d{1,7})$/i;

/** The address `row` rows below and `col` columns right of a formula's own, such as `'My sheet'!C2`. */
export function spilledAddress(formula: string, row: number, col: number): string {
  if (row === 0 && col === 0) return formula;
  const parts = shape.exec(formula);
  if (parts === null) return formula;
  const [, sheet = "", column = "", line = ""] = parts;
  return `${sheet}${columnName(columnIndex(column) + col)}${Number(line) + row}`;
}
