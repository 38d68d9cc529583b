/**
 * Shared setup for tests of the Office.js adapter: an Excel with the port over it, and areas in one line. The Excel is a German one,
 * which spells errors in `values` in its own language. Tests that read errors run in English too.
 */
import { createOfficeWorkbook } from "../../../src/workbook/office/workbook";
import type { Area, Workbook } from "../../../src/workbook/port";
import type { CopyFacts } from "../../../src/workbook/share/copy-with-values";
import { english, german } from "../../excel/culture";
import { type NodeExcel, openExcel } from "../../excel/excel-in-node";
import { createVirtualClock } from "../../helpers/virtual-clock";

export const cultures = [
  ["English", english],
  ["German", german],
] as const;

/** What a copy says of values that no cell of this session has asked for. */
export const nothingAsked: CopyFacts = {
  environment: "Demo",
  earlier: null,
  nowMs: 0,
  clock: createVirtualClock(),
  cells: { all: () => [], get: () => undefined, uncalculated: () => null },
  search: () => Promise.resolve(),
  stale: [],
};

export function openWorkbook(...names: string[]): {
  readonly excel: NodeExcel;
  readonly workbook: Workbook;
} {
  const excel = openExcel(...names);
  excel.culture = german;
  return { excel, workbook: createOfficeWorkbook(excel) };
}

/** An area, by default of one cell. */
export function area(sheet: string, row: number, col: number, rows = 1, cols = 1): Area {
  return { sheet, row, col, rows, cols };
}

/** Waits until everything that the events triggered has gone over the bridge and back. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
