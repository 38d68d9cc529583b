/**
 * The workbook as an .xlsx file, with exceljs: values, looks, widths, frozen panes, notes and the ledger. INV formulas go as their
 * values, because Excel shows `#NAME?` for good where a file brings functions of an add-in; the ledger holds
 * them, and Excel with INV offers to thaw. Formulas of Excel's own stay formulas.
 */
import type { Cell, Workbook as File, Worksheet } from "exceljs";
import { cellKey } from "../../workbook/addresses";
import { ledgerEntries } from "../../workbook/freeze/freeze";
import { isInvFormula } from "../../workbook/inv-formulas";
import { toRow } from "../../workbook/ledger/entry";
import { headRows, ledgerSheet } from "../../workbook/ledger/ledger";
import type { Area, CellFormat, CellValue, FormulaCell, Workbook } from "../../workbook/port";
import { environmentSetting } from "../../workbook/settings";
import type { SheetFurniture } from "../grid/furniture";

const excelErrors = /^#(?:N\/A|VALUE!|REF!|NAME\?|DIV\/0!|NUM!|NULL!)$/;
/** Excel counts widths in characters of 7 pixels. */
const pxPerCharacter = 7;

export interface Downloaded {
  readonly workbook: Workbook;
  /** What the port writes and does not read. */
  furnitureOf(sheet: string): SheetFurniture;
}

export async function workbookAsXlsx({ workbook, furnitureOf }: Downloaded): Promise<Blob> {
  const { default: ExcelJS } = await import(/* webpackChunkName: "exceljs" */ "exceljs");
  const file: File = new ExcelJS.Workbook();
  const formulas = (await workbook.findFormulas(isInvFormula)).filter(({ sheet }) => sheet !== ledgerSheet);
  const spilled = await spilledCells(workbook, formulas);
  const sheets = await workbook.sheets();
  for (const { name, visible } of sheets) {
    if (name === ledgerSheet) continue;
    const sheet = file.addWorksheet(name, { state: visible ? "visible" : "hidden" });
    const area = await workbook.usedArea(name);
    if (area !== null) await fillSheet(workbook, sheet, { area, spilled });
    furnish(sheet, furnitureOf(name));
  }
  await addLedger(workbook, file, { formulas, isThere: sheets.some(({ name }) => name === ledgerSheet) });
  const bytes = await file.xlsx.writeBuffer();
  return new Blob([bytes], { type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" });
}

async function spilledCells(
  workbook: Workbook,
  formulas: readonly FormulaCell[],
): Promise<ReadonlySet<string>> {
  const cells = new Set<string>();
  for (const { sheet, row, col, rows, cols } of await workbook.extents(formulas)) {
    for (let r = 0; r < rows; r += 1) {
      for (let c = 0; c < cols; c += 1) cells.add(cellKey({ sheet, row: row + r, col: col + c }));
    }
  }
  return cells;
}

async function fillSheet(
  workbook: Workbook,
  sheet: Worksheet,
  { area, spilled }: { readonly area: Area; readonly spilled: ReadonlySet<string> },
): Promise<void> {
  const values = await workbook.read(area, "values");
  const contents = await workbook.read(area, "formulas");
  const formats = await workbook.formatsOf(area);
  for (const [row, line] of contents.entries()) {
    for (const [col, content] of line.entries()) {
      const format = formats[row]?.[col] ?? {};
      const value = values[row]?.[col] ?? null;
      if (value === null && content === null && Object.keys(format).length <= 1) continue;
      const cell = sheet.getCell(row + 1, col + 1);
      const isInv = spilled.has(cellKey({ sheet: area.sheet, row, col }));
      fillCell(cell, { content, value, isInv });
      look(cell, format);
    }
  }
  for (const [col, { widthPx = 64 }] of (formats[0] ?? []).entries()) {
    sheet.getColumn(col + 1).width = Math.max(1, (widthPx - 5) / pxPerCharacter);
  }
}

function furnish(sheet: Worksheet, { frozenRows, frozenCols, notes }: SheetFurniture): void {
  if (frozenRows + frozenCols > 0) {
    sheet.views = [{ state: "frozen", xSplit: frozenCols, ySplit: frozenRows }];
  }
  for (const { row, col, text } of notes) sheet.getCell(row + 1, col + 1).note = text;
}

function fillCell(
  cell: Cell,
  {
    content,
    value,
    isInv,
  }: { readonly content: CellValue; readonly value: CellValue; readonly isInv: boolean },
): void {
  const isError = typeof value === "string" && excelErrors.test(value);
  const plain = isError ? { error: value as "#N/A" } : value;
  if (!isInv && typeof content === "string" && content.startsWith("=")) {
    cell.value = { formula: content.slice(1), ...(plain === null ? {} : { result: plain }) };
  } else if (value !== null) cell.value = plain;
}

function look(cell: Cell, { numberFormat, bold, fill, color, align }: CellFormat): void {
  if (numberFormat !== undefined) cell.numFmt = numberFormat;
  if (bold === true || color !== undefined) {
    cell.font = {
      ...(bold === true ? { bold } : {}),
      ...(color === undefined ? {} : { color: { argb: argb(color) } }),
    };
  }
  if (fill !== undefined) cell.fill = { type: "pattern", pattern: "solid", fgColor: { argb: argb(fill) } };
  if (align !== undefined) cell.alignment = { horizontal: align };
}

function argb(color: string): string {
  return `FF${color.replace("#", "").toUpperCase()}`;
}

/** What was frozen before keeps its lines; the formulas that go as values now come after them. */
async function addLedger(
  workbook: Workbook,
  file: File,
  { formulas, isThere }: { readonly formulas: readonly FormulaCell[]; readonly isThere: boolean },
): Promise<void> {
  const environment = await workbook.setting(environmentSetting);
  const entries = await ledgerEntries(
    { workbook, register: { get: () => undefined }, environmentId: () => environment },
    formulas,
  );
  const before = isThere ? await workbook.usedArea(ledgerSheet) : null;
  const old =
    before === null ? [] : (await workbook.read(before, "values")).slice(2).filter((row) => row[3] !== null);
  const lines = [...old, ...entries.map(toRow)];
  if (lines.length === 0) return;
  const sheet = file.addWorksheet(ledgerSheet, { state: "veryHidden" });
  for (const row of [...headRows(lines.length), ...lines]) sheet.addRow(row);
}
