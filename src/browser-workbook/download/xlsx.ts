/**
 * Converts the workbook to an .xlsx file with exceljs: values, styles, widths, frozen panes, notes, and
 * names. INV formulas become values, because Excel shows `#NAME?` permanently if a file contains functions of an
 * add-in. Excel's own formulas stay formulas.
 */
import type { Border, Cell, Workbook as File, Worksheet } from "exceljs";
import { spellForFile } from "../../formula/file-spelling";
import { areaAddress, cellKey } from "../../workbook/addresses";
import { isError, withKind, withoutFormula } from "../../workbook/cell-content";
import { broughtFormats } from "../../workbook/brought-formats";
import { findInvFormulas } from "../../workbook/formula-search";
import type { Area, CellFormat, CellValue, FormulaCell, Workbook } from "../../workbook/port";
import type { FileBorders } from "../univer/styles/borders";
import type { SheetLayout } from "../univer/sheet-layout";

/** Excel's unit of width is a character of 7 pixels. */
const pxPerCharacter = 7;

export interface DownloadSource {
  readonly workbook: Workbook;
  layoutOf(sheet: string): SheetLayout;
}

/** Downloads the workbook as a file whose name contains the date. */
export async function saveAsFile(source: DownloadSource): Promise<void> {
  const address = URL.createObjectURL(await workbookAsXlsx(source));
  const link = document.createElement("a");
  link.href = address;
  link.download = `INV ${new Date().toISOString().slice(0, 10)}.xlsx`;
  link.click();
  // Keep the URL for a while: the browser reads the file asynchronously.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export async function workbookAsXlsx({ workbook, layoutOf }: DownloadSource): Promise<Blob> {
  const { default: ExcelJS } = await import(/* webpackChunkName: "exceljs" */ "exceljs");
  const file: File = new ExcelJS.Workbook();
  const formulas = await fileFormulas(workbook, await findInvFormulas(workbook));
  for (const { name, visible } of await workbook.sheets()) {
    const sheet = file.addWorksheet(name, { state: visible ? "visible" : "hidden" });
    const area = await workbook.usedArea(name);
    if (area !== null) await fillSheet(workbook, sheet, { area, formulas });
    addLayout(sheet, layoutOf(name));
  }
  await addNames(workbook, file);
  const bytes = await file.xlsx.writeBuffer();
  return new Blob([bytes], { type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" });
}

interface FileFormula {
  readonly formula: string;
  /** The cells that it fills. */
  readonly area: Omit<Area, "sheet">;
}

/** Finds the formulas that stay formulas in the file, by `cellKey`. */
async function fileFormulas(
  workbook: Workbook,
  asValues: readonly FormulaCell[],
): Promise<ReadonlyMap<string, FileFormula>> {
  const excluded = new Set(asValues.map(cellKey));
  const cells = (await workbook.findFormulas(() => true)).filter((cell) => !excluded.has(cellKey(cell)));
  const areas = await workbook.extents(cells);
  return new Map(
    cells.map((cell, index) => [
      cellKey(cell),
      { formula: cell.formula, area: areas[index] ?? { ...cell, rows: 1, cols: 1 } },
    ]),
  );
}

async function fillSheet(
  workbook: Workbook,
  sheet: Worksheet,
  { area, formulas }: { readonly area: Area; readonly formulas: ReadonlyMap<string, FileFormula> },
): Promise<void> {
  const values = await workbook.read(area, "values");
  const formats = await workbook.formatsOf(area);
  const brought = await broughtFormats(workbook, [{ area, cells: values }]);
  for (const [row, line] of values.entries()) {
    for (const [col, value] of line.entries()) {
      const format = formats[row]?.[col] ?? {};
      const key = cellKey({ sheet: area.sheet, row, col });
      const formula = formulas.get(key);
      if (value === null && formula === undefined && Object.keys(format).length <= 1) continue;
      const cell = sheet.getCell(row + 1, col + 1);
      fillCell(cell, value, formula);
      applyFormat(cell, format);
      // The time that a function returns is a plain number in the file, so it needs its number format.
      const numberFormat = brought.get(key);
      if (numberFormat !== undefined) cell.numFmt = numberFormat;
    }
  }
  for (const [col, { widthPx = 64 }] of (formats[0] ?? []).entries()) {
    sheet.getColumn(col + 1).width = Math.max(1, (widthPx - 5) / pxPerCharacter);
  }
}

function addLayout(
  sheet: Worksheet,
  { frozenRows, frozenCols, notes, merged, bordered, hiddenRows, hiddenCols }: SheetLayout,
): void {
  if (frozenRows + frozenCols > 0) {
    sheet.views = [{ state: "frozen", xSplit: frozenCols, ySplit: frozenRows }];
  }
  for (const { row, col, text } of notes) sheet.getCell(row + 1, col + 1).note = text;
  for (const { row, col, rows, cols } of merged) {
    sheet.mergeCells(row + 1, col + 1, row + rows, col + cols);
  }
  for (const { row, col, borders } of bordered) {
    sheet.getCell(row + 1, col + 1).border = writtenBorders(borders);
  }
  for (const row of hiddenRows) sheet.getRow(row + 1).hidden = true;
  for (const col of hiddenCols) sheet.getColumn(col + 1).hidden = true;
}

function writtenBorders(borders: FileBorders): Cell["border"] {
  return Object.fromEntries(
    Object.entries(borders).map(([side, { kind, color }]) => {
      const argb = color === null ? null : toArgb(color);
      return [side, { style: kind as Border["style"], ...(argb === null ? {} : { color: { argb } }) }];
    }),
  );
}

/** @param written only for cells that the grid calculates; other text that begins with `=` stays text */
function fillCell(cell: Cell, value: CellValue, written: FileFormula | undefined): void {
  const plain = fileValue(value);
  if (written !== undefined) {
    const { formula, area } = written;
    // Excel calculates each formula that fills several cells as one array formula.
    const isArray = area.rows * area.cols > 1;
    cell.value = {
      formula: spellForFile(formula.slice(1)),
      ...(isArray ? { shareType: "array", ref: areaAddress(area) } : {}),
      ...(plain === null ? {} : { result: plain }),
    };
  } else if (value !== null) cell.value = plain;
}

function fileValue(value: CellValue): CellValue | { error: "#N/A" } {
  const content = withoutFormula(withKind(value));
  if (isError(content)) return { error: content.error as "#N/A" };
  return typeof content === "string" ? escaped(content) : content;
}

/** Encodes characters that XML can't contain as Excel does, `_x0001_`; the library would drop them. */
function escaped(text: string): string {
  return text.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_").replaceAll(
    // eslint-disable-next-line no-control-regex -- these are what is meant
    /[\u0000-\u0008\u000B\u000C\u000D-\u001F\uFFFE\uFFFF]/g,
    (mark) => `_x${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`,
  );
}

function applyFormat(cell: Cell, { numberFormat, bold, fill, color, align }: CellFormat): void {
  if (numberFormat !== undefined) cell.numFmt = numberFormat;
  const textColor = color === undefined ? null : toArgb(color);
  const fillColor = fill === undefined ? null : toArgb(fill);
  if (bold === true || textColor !== null) {
    cell.font = {
      ...(bold === true ? { bold } : {}),
      ...(textColor === null ? {} : { color: { argb: textColor } }),
    };
  }
  if (fillColor !== null) cell.fill = { type: "pattern", pattern: "solid", fgColor: { argb: fillColor } };
  if (align !== undefined) cell.alignment = { horizontal: align };
}

/** Writes all names, replacing the library's list, which allows only names of cells. */
async function addNames(workbook: Workbook, file: File): Promise<void> {
  const places = new Map(file.worksheets.map(({ name }, index) => [name, index]));
  const written = (await workbook.names()).map(({ name, sheet, formula }) => ({
    name,
    ranges: [spellForFile(formula.slice(1))],
    ...(sheet === null ? {} : { localSheetId: places.get(sheet) }),
  }));
  Object.defineProperty(file.definedNames, "model", { get: () => written });
}

/** Converts a color to the eight digits of .xlsx files. Color names and other notations give null. */
function toArgb(color: string): string | null {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(color);
  if (short !== null) {
    const doubled = short.slice(1).map((digit) => digit + digit);
    return toArgb(`#${doubled.join("")}`);
  }
  const six = /^#?([0-9a-f]{6})$/i.exec(color)?.[1];
  if (six !== undefined) return `FF${six.toUpperCase()}`;
  const parts = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})/i.exec(color)?.slice(1);
  if (parts === undefined) return null;
  const hex = parts.map((part) => Math.min(255, Number(part)).toString(16).padStart(2, "0"));
  return `FF${hex.join("").toUpperCase()}`;
}
