/** What the tests of the Office.js adapter share: a fake Excel with the port open over it, and areas in one line. */
import { createOfficeWorkbook } from "../../../src/workbook/office/workbook";
import type { Area, Workbook } from "../../../src/workbook/port";
import { createFakeExcel, type FakeExcel } from "./fake-excel";

/** A fake Excel with these sheets, and the port over it. */
export function openFakeExcel(...names: string[]): {
  readonly excel: FakeExcel;
  readonly workbook: Workbook;
} {
  const excel = createFakeExcel(...names);
  return { excel, workbook: createOfficeWorkbook(excel) };
}

/** One cell unless told otherwise. */
export function area(sheet: string, row: number, col: number, rows = 1, cols = 1): Area {
  return { sheet, row, col, rows, cols };
}
