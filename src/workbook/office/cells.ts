/**
 * Writes and formats cells in Excel. Text stays text: INV writes an apostrophe before it (`'00012345678905`) if Excel would
 * read it as a number, a date or anything else. The apostrophe isn't part of the value.
 */
import { isEnterable, isError } from "../cell-content";
import { rangeOf } from "./area";
import type { ExcelBatches } from "./excel-batches";
import type { Area, CellContent, CellFormat } from "../port";

/** Limits of one write, far below the 5 MB that Excel on the web accepts. */
const cellsPerWrite = 100_000;
const charactersPerWrite = 1_500_000;

export async function writeCells(
  batches: ExcelBatches,
  area: Area,
  cells: readonly (readonly CellContent[])[],
): Promise<void> {
  await batches.run(async (context) => {
    const sheet = context.workbook.worksheets.getItem(area.sheet);
    let row = area.row;
    for (const band of bands(cells)) {
      sheet.getRangeByIndexes(row, area.col, band.length, area.cols).formulas = band;
      row += band.length;
      await batches.send(context, band.length * area.cols);
    }
  });
}

/** Marks text that begins like a formula, so that Excel keeps it as text. */
export function asText(value: CellContent): CellContent {
  return typeof value === "string" && value.startsWith("=") ? `'${value}` : value;
}

export async function formatCells(batches: ExcelBatches, area: Area, format: CellFormat): Promise<void> {
  await batches.run(async (context) => {
    formatRange(rangeOf(context, area), area, format);
    await batches.send(context, format.numberFormat === undefined ? 1 : area.rows * area.cols);
  });
}

export function formatRange(
  range: Excel.Range,
  { rows, cols }: Pick<Area, "rows" | "cols">,
  format: CellFormat,
): void {
  if (format.numberFormat !== undefined) {
    const { numberFormat } = format;
    range.numberFormat = Array.from({ length: rows }, () => Array.from({ length: cols }, () => numberFormat));
  }
  if (format.bold !== undefined) range.format.font.bold = format.bold;
  if (format.color !== undefined) range.format.font.color = format.color;
  if (format.fill !== undefined) range.format.fill.color = format.fill;
  if (format.align !== undefined) range.format.horizontalAlignment = alignments[format.align];
  // Excel measures in points, 72 to the inch; screens in pixels, 96 to the inch.
  if (format.widthPx !== undefined) range.format.columnWidth = format.widthPx * 0.75;
}

const alignments = { left: "Left", center: "Center", right: "Right" } as const;

/** Splits the cells into groups of rows, each within the limits of one write. */
function bands(cells: readonly (readonly CellContent[])[]): (string | number | boolean)[][][] {
  const result: (string | number | boolean)[][][] = [];
  let room = { cells: 0, characters: 0 };
  for (const line of cells) {
    const row = line.map(toExcel);
    const characters = row.reduce<number>((sum, cell) => sum + String(cell).length + 3, 0);
    if (row.length > room.cells || characters > room.characters) {
      result.push([]);
      room = { cells: cellsPerWrite, characters: charactersPerWrite };
    }
    result.at(-1)?.push(row);
    room = { cells: room.cells - row.length, characters: room.characters - characters };
  }
  return result;
}

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
