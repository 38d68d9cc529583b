/**
 * Converts values to the grid's cell data, and writes them. Text is marked as text, so that GTINs keep their zeros. Many cells are
 * written in slices, so that the page can handle keys in between, and as one undo step. In one piece, 40,000 formulas blocked the page
 * for half a second (measured).
 */
import { CellValueType, getPlainText, type ICellData, type Nullable } from "@univerjs/core";
import type { FRange } from "@univerjs/preset-sheets-core";
import { count } from "../../domain/number-words";
import { withoutKind } from "../../workbook/cell-content";
import type { Area, CellContent, CellValue } from "../../workbook/port";
import { inTimeSlices } from "../../workbook/in-time-slices";
import { pageTurns } from "../page-turns";

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

/** The text of a cell with line breaks or several styles, which the grid keeps as a document; null for any other cell. */
export function documentText(cell: Nullable<ICellData>): string | null {
  const { dataStream = "" } = cell?.p?.body ?? {};
  return getPlainText(dataStream).replace(/\r\n?/g, "\n") || null;
}

/** Text in this style is as wide as in Excel's default style at 11 points, for which column widths are given. */
export const cellStyle = { ff: "Arial", fs: 10 };

export interface FillHost {
  rangeOf(area: Area): Pick<FRange, "setValues">;
  /** Groups the work into one undo step, however long it takes. */
  step<T>(work: () => Promise<T>): Promise<T>;
}

type Cells<T> = readonly (readonly T[])[];

/** Excel's limit is four times this. The grid's formula bar measures every beginning of a word, and needs minutes for more. */
const maxCellText = 8_192;
/** The grid takes about 40 ms to write this many. */
const cellsAtOnce = 4_000;

export async function fillCells(host: FillHost, area: Area, cells: Cells<ICellData>): Promise<void> {
  for (const { v: value } of cells.flat()) {
    if (typeof value !== "string" || value.length <= maxCellText) continue;
    throw new Error(
      `Of the texts, one has ${count(value.length)} characters, and a cell can have ${count(maxCellText)} here.`,
    );
  }
  const rowsAtOnce = Math.max(1, Math.floor(cellsAtOnce / Math.max(1, area.cols)));
  const range = host.rangeOf(area);
  if (area.rows <= rowsAtOnce) {
    range.setValues(cells.map((row) => [...row]));
    return;
  }
  const parts = Array.from({ length: Math.ceil(cells.length / rowsAtOnce) }, (_, part) => part * rowsAtOnce);
  const fill = (from: number): void => {
    const part = cells.slice(from, from + rowsAtOnce);
    const partRange = host.rangeOf({ ...area, row: area.row + from, rows: part.length });
    partRange.setValues(part.map((row) => [...row]));
  };
  await host.step(() => inTimeSlices(pageTurns, parts, { visit: fill, size: 1 }));
}

/** As an entry, text that begins with `=` is a formula. */
export function dataOf(cells: Cells<CellContent>, { asText } = { asText: false }): ICellData[][] {
  return cells.map((row) =>
    row.map((content) => {
      const value = withoutKind(content);
      const isFormula = !asText && typeof value === "string" && value.startsWith("=");
      return isFormula ? formulaData(value) : valueData(value);
    }),
  );
}
