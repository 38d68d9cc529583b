/**
 * Reads the grid's sheets for a download: only cells that exist, row by row, while the file is written. A single cell far down
 * costs nothing for the rows before it.
 */
import {
  BooleanNumber,
  BorderStyleTypes,
  CellValueType,
  HorizontalAlign,
  type ICellData,
  type IStyleData,
  type Nullable,
  WrapStrategy,
} from "@univerjs/core";
import { FormulaDataModel, type FWorksheet } from "@univerjs/preset-sheets-core";
import { isErrorName } from "../../workbook/cell-content";
import type { CellContent } from "../../workbook/port";
import type { FileBook, FileBorders, FileCell, FileRow, FileSheet, FileStyle } from "../download/file-book";
import { documentText } from "./cell-data";
import type { Grid } from "./grid";

type Cells = Readonly<Record<number, Readonly<Record<number, Nullable<ICellData>>>>>;
type Lines<T> = Readonly<Record<number, Nullable<T>>>;
type StyleReference = Nullable<IStyleData | string>;

export function fileBook(grid: Grid): FileBook {
  const book = grid.api.getActiveWorkbook();
  if (book === null) throw new Error("The workbook is closed. Reload the page.");
  const spilled = grid.injector.get(FormulaDataModel).getArrayFormulaCellData()[book.getId()] ?? {};
  const sheets = book.getSheets();
  const shownId = book.getActiveSheet().getSheetId();
  return {
    sheets: sheets.map((sheet) => fileSheet(sheet, (spilled[sheet.getSheetId()] ?? {}) as Cells)),
    shownSheet: sheets.findIndex((sheet) => sheet.getSheetId() === shownId),
  };
}

function fileSheet(sheet: FWorksheet, spilled: Cells): FileSheet {
  const { name, hidden, rowData, columnData, cellData, defaultColumnWidth } = sheet.getSheet().getConfig();
  const styleOf = createStyleReader(sheet);
  const cells: Cells = cellData;
  const rows = linesOf(cells, spilled, rowData);
  return {
    name,
    isHidden: hidden === BooleanNumber.TRUE,
    frozenRows: sheet.getFrozenRows(),
    frozenCols: sheet.getFrozenColumns(),
    defaultWidthPx: defaultColumnWidth,
    columns: linesOf(columnData).map((col) => {
      const { w: widthPx, hd, s } = columnData[col] ?? {};
      return { col, widthPx: widthPx ?? null, isHidden: hd === BooleanNumber.TRUE, style: styleOf(s) };
    }),
    merged: sheet.getMergeData().map((range) => ({
      row: range.getRow(),
      col: range.getColumn(),
      rows: range.getHeight(),
      cols: range.getWidth(),
    })),
    notes: sheet.getNotes().map(({ row, col, note }) => ({ row, col, text: note })),
    *rows() {
      for (const row of rows) yield fileRow(row);
    },
  };

  function fileRow(row: number): FileRow {
    const { h, ia, hd, s: rowStyle } = rowData[row] ?? {};
    const [rowCells, brought] = [cells[row] ?? {}, spilled[row] ?? {}];
    return {
      row,
      // Only a height that somebody has set; others follow from the contents, in Excel too.
      heightPx: h !== undefined && ia === BooleanNumber.FALSE ? h : null,
      isHidden: hd === BooleanNumber.TRUE,
      cells: linesOf(rowCells, brought).map((col): FileCell => {
        const outer = [columnData[col]?.s, rowStyle].filter((style) => style !== undefined && style !== null);
        const ofValue = styleOf(brought[col]?.s);
        const style = styleOf(rowCells[col]?.s, outer);
        return {
          col,
          content: contentOf(rowCells[col], brought[col]),
          style: withFormatOfValue(style, ofValue),
        };
      }),
    };
  }
}

/** The indexes that one of the records has, in order. */
function linesOf(...records: readonly Lines<unknown>[]): number[] {
  const [first, ...others] = records.map((record) => Object.keys(record).map(Number));
  if (first === undefined || others.every((keys) => keys.length === 0)) return first ?? [];
  return [...new Set([first, ...others].flat())].sort((a, b) => a - b);
}

/** Text stays text, also one that looks like an error; a formula's error is one. */
function contentOf(cell: Nullable<ICellData>, spilled: Nullable<ICellData>): CellContent {
  const value = cell?.v ?? null;
  const isFormula = typeof cell?.f === "string" || typeof cell?.si === "string";
  if (value === null && spilled !== undefined && spilled !== null) return contentOfFormula(spilled);
  if (isFormula) return contentOfFormula(cell);
  if (value === null) return documentText(cell);
  if (cell?.t === CellValueType.BOOLEAN) return Boolean(Number(value));
  if (cell?.t === CellValueType.STRING || cell?.t === CellValueType.FORCE_STRING) return String(value);
  return isErrorName(value) ? { error: value } : value;
}

function contentOfFormula({ v: value = null, t }: ICellData): CellContent {
  if (t === CellValueType.BOOLEAN && value !== null) return Boolean(Number(value));
  return isErrorName(value) ? { error: value } : value;
}

/** A time that a function returns is a plain number in a file, so it needs the format that it brings. */
function withFormatOfValue(style: FileStyle | null, ofValue: FileStyle | null): FileStyle | null {
  const numberFormat = ofValue?.numberFormat;
  return numberFormat === undefined || style?.numberFormat !== undefined ? style : { ...style, numberFormat };
}

/** Returns the same object for the same format, so that it is translated once. */
function createStyleReader(sheet: FWorksheet) {
  const styles = sheet.getWorkbook().getStyles();
  const known = new Map<string, FileStyle | null>();

  return (reference: StyleReference, outer: readonly StyleReference[] = []): FileStyle | null => {
    const all = [...outer, reference];
    if (all.every((each) => each === undefined || each === null)) return null;
    const key = JSON.stringify(all);
    let style = known.get(key);
    if (style === undefined) {
      style = fileStyle(all.reduce<IStyleData>((sum, each) => ({ ...sum, ...styles.get(each) }), {}));
      known.set(key, style);
    }
    return style;
  };
}

const aligned: ReadonlyMap<unknown, FileStyle["align"]> = new Map([
  [HorizontalAlign.LEFT, "left"],
  [HorizontalAlign.CENTER, "center"],
  [HorizontalAlign.RIGHT, "right"],
]);

/** The page has no menu for fonts, their sizes and vertical alignment. */
function fileStyle({ n, bl, it, ul, st, cl, bg, ht, tb, bd }: IStyleData): FileStyle | null {
  const align = aligned.get(ht);
  const borders = fileBorders(bd);
  const style: FileStyle = {
    ...(n?.pattern ? { numberFormat: n.pattern } : {}),
    ...(bl === BooleanNumber.TRUE ? { bold: true } : {}),
    ...(it === BooleanNumber.TRUE ? { italic: true } : {}),
    ...(ul?.s === BooleanNumber.TRUE ? { underline: true } : {}),
    ...(st?.s === BooleanNumber.TRUE ? { strike: true } : {}),
    ...(cl?.rgb ? { color: cl.rgb } : {}),
    ...(bg?.rgb ? { fill: bg.rgb } : {}),
    ...(align === undefined ? {} : { align }),
    ...(tb === WrapStrategy.WRAP ? { wraps: true } : {}),
    ...(borders === null ? {} : { borders }),
  };
  return Object.keys(style).length === 0 ? null : style;
}

const fileKinds: ReadonlyMap<BorderStyleTypes, string> = new Map([
  [BorderStyleTypes.THIN, "thin"],
  [BorderStyleTypes.HAIR, "hair"],
  [BorderStyleTypes.DOTTED, "dotted"],
  [BorderStyleTypes.DASHED, "dashed"],
  [BorderStyleTypes.DASH_DOT, "dashDot"],
  [BorderStyleTypes.DASH_DOT_DOT, "dashDotDot"],
  [BorderStyleTypes.DOUBLE, "double"],
  [BorderStyleTypes.MEDIUM, "medium"],
  [BorderStyleTypes.MEDIUM_DASHED, "mediumDashed"],
  [BorderStyleTypes.MEDIUM_DASH_DOT, "mediumDashDot"],
  [BorderStyleTypes.MEDIUM_DASH_DOT_DOT, "mediumDashDotDot"],
  [BorderStyleTypes.SLANT_DASH_DOT, "slantDashDot"],
  [BorderStyleTypes.THICK, "thick"],
]);

function fileBorders(borders: IStyleData["bd"]): FileBorders | null {
  if (!borders) return null;
  const sides = [
    ["left", borders.l],
    ["right", borders.r],
    ["top", borders.t],
    ["bottom", borders.b],
  ] as const;
  const found = sides.flatMap(([side, border]) => {
    const kind = border ? fileKinds.get(border.s) : undefined;
    return border && kind !== undefined ? [[side, { kind, color: border.cl.rgb ?? "#000000" }]] : [];
  });
  return found.length === 0 ? null : (Object.fromEntries(found) as FileBorders);
}
