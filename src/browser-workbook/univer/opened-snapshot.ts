/**
 * Converts a workbook read from a file to the form of a saved workbook: cells, styles, names, notes and INV's
 * settings. It only translates; the file was checked when it was read.
 */
import { sheetCols, sheetRows } from "../../formula/columns";
import {
  BooleanNumber,
  HorizontalAlign,
  type ICellData,
  type IStyleData,
  type IWorkbookData,
  type IWorksheetData,
} from "@univerjs/core";
import { referenceIn } from "../../formula/references";
import type { FileBook, FileCell, FileName, FileSheet } from "../open-xlsx/file-book";
import type { FileStyle } from "../open-xlsx/styles-part";
import { cellStyle, valueData } from "./cell-data";
import { noteAt } from "./sheet-layout";
import { gridBorders } from "./styles/borders";
import { activeSheetKey } from "./snapshot";

const smallestSheet = { rows: 1000, cols: 26 };
/** Excel's default, in pixels. */
const columnWidth = 64;
const pxPerPoint = 4 / 3;
/** The grid's key for names in the scope of the whole workbook. */
const wholeWorkbook = "AllDefaultWorkbook";

/**
 * @param settings INV's settings to store in the workbook
 * @param random as Math.random
 */
export function openedSnapshot(
  book: FileBook,
  settings: ReadonlyMap<string, string>,
  random: () => number,
): Partial<IWorkbookData> {
  // Ids are random, so that none is an earlier workbook's: a ledger refers to its sheets by them.
  const ids = new Map(book.sheets.map(({ name }) => [name, `s${random().toString(36).slice(2, 12)}`]));
  const idOf = (sheet: string): string => ids.get(sheet) ?? "";
  const areHidden = book.sheets.every(({ isHidden }) => isHidden);
  const sheets = Object.fromEntries(
    book.sheets.map((sheet, index): [string, Partial<IWorksheetData>] => {
      const id = idOf(sheet.name);
      return [id, sheetData(areHidden && index === 0 ? { ...sheet, isHidden: false } : sheet, id)];
    }),
  );
  return {
    id: "workbook",
    name: "Workbook",
    sheetOrder: book.sheets.map(({ name }) => idOf(name)),
    styles: Object.fromEntries(book.styles.map((style, index) => [String(index), gridStyle(style)])),
    sheets,
    resources: [
      { name: "SHEET_NOTE_PLUGIN", data: JSON.stringify(notesOf(book.sheets, idOf)) },
      { name: "SHEET_DEFINED_NAME_PLUGIN", data: JSON.stringify(namesOf(book.names, idOf)) },
    ],
    custom: {
      ...Object.fromEntries(settings),
      [activeSheetKey]: idOf(book.sheets[book.shownSheet]?.name ?? ""),
    },
  };
}

function sheetData(sheet: FileSheet, id: string): Partial<IWorksheetData> {
  const cellData: Record<number, Record<number, ICellData>> = {};
  let [lastRow, lastCol] = [0, 0];
  for (const cell of sheet.cells) {
    (cellData[cell.row] ??= {})[cell.col] = gridCell(cell);
    lastRow = Math.max(lastRow, cell.row);
    lastCol = Math.max(lastCol, cell.col + (cell.spill?.cols ?? 1) - 1);
  }
  const { frozenRows, frozenCols, merged, columns, rows } = sheet;
  for (const area of merged) {
    lastRow = Math.max(lastRow, area.row + area.rows - 1);
    lastCol = Math.max(lastCol, area.col + area.cols - 1);
  }
  const columnCount = Math.min(sheetCols, Math.max(smallestSheet.cols, lastCol + 1));
  return {
    id,
    name: sheet.name,
    hidden: sheet.isHidden ? BooleanNumber.TRUE : BooleanNumber.FALSE,
    rowCount: Math.min(sheetRows, Math.max(smallestSheet.rows, lastRow + 1)),
    columnCount,
    defaultColumnWidth: columnWidth,
    defaultStyle: cellStyle,
    cellData,
    mergeData: merged.map(({ row, col, rows: height, cols: width }) => ({
      ...{ startRow: row, endRow: row + height - 1, startColumn: col, endColumn: col + width - 1 },
    })),
    ...(frozenRows + frozenCols === 0
      ? {}
      : {
          freeze: { startRow: frozenRows, startColumn: frozenCols, xSplit: frozenCols, ySplit: frozenRows },
        }),
    columnData: Object.fromEntries(
      columns.flatMap(({ first, last, width, isHidden, style }) =>
        Array.from({ length: Math.max(0, Math.min(last, columnCount - 1) - first + 1) }, (_, index) => [
          first + index,
          {
            ...(width === null ? {} : { w: Math.round(width * 7 + 5) }),
            ...(isHidden ? { hd: BooleanNumber.TRUE } : {}),
            ...(style > 0 ? { s: String(style) } : {}),
          },
        ]),
      ),
    ),
    rowData: Object.fromEntries(
      rows.map(({ row, height, isHidden }) => [
        row,
        {
          ...(height === null ? {} : { h: Math.round(height * pxPerPoint), ia: BooleanNumber.FALSE }),
          ...(isHidden ? { hd: BooleanNumber.TRUE } : {}),
        },
      ]),
    ),
  };
}

/** A formula that has spilled gets no value, so that it is calculated. */
function gridCell({ value, formula, spill, style }: FileCell): ICellData {
  const { v, t } = valueData(value);
  const shown = v === null || spill !== undefined ? {} : { v, ...(t === undefined ? {} : { t }) };
  return {
    ...shown,
    ...(formula === undefined ? {} : { f: formula }),
    ...(style > 0 ? { s: String(style) } : {}),
  };
}

const aligned = { left: HorizontalAlign.LEFT, center: HorizontalAlign.CENTER, right: HorizontalAlign.RIGHT };

function gridStyle({ numberFormat, bold, color, fill, align, borders }: FileStyle): IStyleData {
  return {
    ...(numberFormat === undefined ? {} : { n: { pattern: numberFormat } }),
    ...(bold ? { bl: BooleanNumber.TRUE } : {}),
    ...(color === undefined ? {} : { cl: { rgb: color } }),
    ...(fill === undefined ? {} : { bg: { rgb: fill } }),
    ...(align === undefined ? {} : { ht: aligned[align] }),
    ...(borders === undefined ? {} : { bd: gridBorders(borders) }),
  };
}

function notesOf(sheets: readonly FileSheet[], idOf: (sheet: string) => string): object {
  const ofSheet = ({ notes }: FileSheet): object => {
    const rows: Record<number, Record<number, object>> = {};
    for (const { row, col, text } of notes) (rows[row] ??= {})[col] = noteAt(row, col, text);
    return rows;
  };
  return Object.fromEntries(sheets.map((sheet) => [idOf(sheet.name), ofSheet(sheet)]));
}

/** The grid recognizes an area by the missing `=`. */
function namesOf(names: readonly FileName[], idOf: (sheet: string) => string): object {
  return Object.fromEntries(
    names.map(({ name, formula, sheet, isHidden }, index) => {
      const id = `n${index}`;
      const isArea = referenceIn(formula.slice(1))?.isSpilled === false;
      const formulaOrRefString = isArea ? formula.slice(1) : formula;
      const localSheetId = sheet === null ? wholeWorkbook : idOf(sheet);
      return [id, { id, name, formulaOrRefString, localSheetId, hidden: isHidden }];
    }),
  );
}
