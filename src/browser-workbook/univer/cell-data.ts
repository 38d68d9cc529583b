/** Converts values to the grid's cell data, and the style of new sheets. Text is marked as text, so that GTINs keep their zeros. */
import { CellValueType, type ICellData } from "@univerjs/core";
import type { CellValue } from "../../workbook/port";

/** Removes any formula or rich text that the cell had. */
const nothingElse = { f: null, si: null, p: null };

export function valueData(value: CellValue): ICellData {
  if (typeof value === "string") return { ...nothingElse, v: value, t: CellValueType.STRING };
  if (typeof value === "boolean") return { ...nothingElse, v: value ? 1 : 0, t: CellValueType.BOOLEAN };
  if (typeof value === "number") return { ...nothingElse, v: value, t: CellValueType.NUMBER };
  return { ...nothingElse, v: null };
}

export function formulaData(formula: string): ICellData {
  return { ...nothingElse, f: formula, v: null };
}

/** Text in this style is as wide as in Excel's default style at 11 points, for which column widths are given. */
export const cellStyle = { ff: "Arial", fs: 10 };
