/** What the tests of the Office.js adapter share: an Excel with the port open over it, and areas in one line. */
import { createOfficeWorkbook } from "../../../src/workbook/office/workbook";
import type { Area, Workbook } from "../../../src/workbook/port";
import { type NodeExcel, openExcel } from "../../excel/excel-in-node";

/** An Excel with these sheets, and the port over it. */
export function openWorkbook(...names: string[]): {
  readonly excel: NodeExcel;
  readonly workbook: Workbook;
} {
  const excel = openExcel(...names);
  return { excel, workbook: createOfficeWorkbook(excel) };
}

/** One cell unless told otherwise. */
export function area(sheet: string, row: number, col: number, rows = 1, cols = 1): Area {
  return { sheet, row, col, rows, cols };
}

/** Waits until what the events have set off has gone over the bridge and back. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
