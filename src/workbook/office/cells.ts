/**
 * Writes and formats cells in Excel. Text stays text: INV writes an apostrophe before it (`'00012345678905`) if Excel would
 * read it as a number, a date or anything else. The apostrophe isn't part of the value.
 */
import { isEnterable, isError } from "../cell-content";
import { rangeOf } from "./area";
import type { ExcelBatches } from "./excel-batches";
import { bandsOf } from "./limits";
import type { Area, CellContent, CellFormat } from "../port";

export async function writeCells(
  batches: ExcelBatches,
  area: Area,
  cells: readonly (readonly CellContent[])[],
): Promise<void> {
  await batches.run(async (context) => {
    const sheet = context.workbook.worksheets.getItem(area.sheet);
    let { row } = area;
    for (const { rows, characters } of bandsOf(cells.map((line) => line.map(toExcel)))) {
      sheet.getRangeByIndexes(row, area.col, rows.length, area.cols).formulas = rows;
      row += rows.length;
      await batches.send(context, characters);
    }
  });
}

/** Marks text that begins like a formula, so that Excel keeps it as text. */
export function keptText(value: CellContent): CellContent {
  return typeof value === "string" && value.startsWith("=") ? `'${value}` : value;
}

export async function formatCells(
  batches: ExcelBatches,
  area: Area,
  { numberFormat, ...format }: CellFormat,
): Promise<void> {
  await batches.run(async (context) => {
    formatRange(rangeOf(context, area), format);
    const lines = numberFormat === undefined ? [] : formatsFor(area, numberFormat);
    let { row } = area;
    for (const { rows, characters } of bandsOf(lines)) {
      rangeOf(context, { ...area, row, rows: rows.length }).numberFormat = rows;
      row += rows.length;
      await batches.send(context, characters);
    }
    if (lines.length === 0) await batches.send(context);
  });
}

/** Returns a matrix, because Excel refuses a number format of another shape than its range. */
function formatsFor({ rows, cols }: Pick<Area, "rows" | "cols">, numberFormat: string): string[][] {
  return Array.from({ length: rows }, () => Array.from({ length: cols }, () => numberFormat));
}

export function formatRange(range: Excel.Range, format: Omit<CellFormat, "numberFormat">): void {
  if (format.bold !== undefined) range.format.font.bold = format.bold;
  if (format.color !== undefined) range.format.font.color = format.color;
  if (format.fill !== undefined) range.format.fill.color = format.fill;
  if (format.align !== undefined) range.format.horizontalAlignment = alignments[format.align];
  // Excel measures in points, 72 to the inch; screens in pixels, 96 to the inch.
  if (format.widthPx !== undefined) range.format.columnWidth = format.widthPx * 0.75;
}

const alignments = { left: "Left", center: "Center", right: "Right" } as const;

/** Matches words without digits or signs, which Excel keeps as text. */
const plainWords = /^(?!(?:true|false)$)\p{L}[\p{L} ,.:;()]*$/iu;

/**
 * Returns the value that Excel expects. It never returns null, which would leave the cell unchanged. Errors are in English, as
 * formulas are (documented).
 */
export function toExcel(value: CellContent): string | number | boolean {
  if (value === null) return "";
  // A sum skips a text, so an error that Excel can't enter, or whose name INV doesn't know, is another error.
  if (isError(value)) return isEnterable(value) ? value.error : "#VALUE!";
  if (typeof value !== "string" || value === "" || value.startsWith("=")) return value;
  return plainWords.test(value) || value.startsWith("'=") ? value : `'${value}`;
}
