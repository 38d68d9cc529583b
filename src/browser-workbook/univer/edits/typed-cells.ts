/**
 * Reads what a person types into a cell like pasted text, in their system's number format: `1,5` is one and a half on a
 * German system. The grid's own reader knows only English, and reads `1,500` as 1500 everywhere. The editor shows
 * numbers and dates in the form that is read back, so a cell keeps its value if it is opened and left. Text stays text in every edit.
 */
import {
  CellValueType,
  type ICellData,
  ICommandService,
  type IStyleData,
  type Nullable,
  numfmt,
  ObjectMatrix,
} from "@univerjs/core";
import {
  AFTER_CELL_EDIT,
  BEFORE_CELL_EDIT,
  type ISetRangeValuesMutationParams,
  SetRangeValuesMutation,
  SheetInterceptorService,
} from "@univerjs/preset-sheets-core";
import { msFromSerial } from "../../../domain/dates";
import type { CellValue } from "../../../workbook/port";
import { readTypedText } from "../../paste/typed-text";
import { type LocaleFormat, systemFormat } from "../../paste/locale-format";
import { readTypedFormula } from "../../paste/typed-formula";
import { documentText, valueData } from "../cell-data";
import type { Grid } from "../grid";

/**
 * The grid's handlers have priority 0. The first of ours removes the text before them; the second adds its meaning
 * after them.
 */
const before = 1;
const after = -0.5;

export function readTypedCells(grid: Grid): void {
  const handlers = grid.injector.get(SheetInterceptorService).writeCellInterceptor;
  const locale = systemFormat();
  let typed: ICellData | null = null;

  handlers.intercept(AFTER_CELL_EDIT, {
    priority: before,
    handler(cell, { workbook, worksheet, row, col }, next) {
      const format = workbook.getStyles().getStyleByCell(worksheet.getCellRaw(row, col))?.n?.pattern;
      typed = typeof cell?.f === "string" ? typedFormula(cell.f, locale) : typedValue(cell, format, locale);
      // Without a text, the grid's handlers don't change the cell.
      return next(typed === null || !cell ? cell : { ...cell, v: null, p: null });
    },
  });
  handlers.intercept(AFTER_CELL_EDIT, {
    priority: after,
    handler(cell, { workbook }, next) {
      if (typed === null) return next(cell);
      const { s: format, ...content } = typed;
      const cellStyle = workbook.getStyles().get(cell?.s) ?? {};
      const style = format ? { s: { ...cellStyle, ...(format as IStyleData) } } : {};
      return next({ ...cell, ...content, ...style });
    },
  });
  handlers.intercept(BEFORE_CELL_EDIT, {
    priority: after,
    handler(cell, { workbook, worksheet, row, col }, next) {
      const raw = worksheet.getCellRaw(row, col);
      const text = editedText(raw, workbook.getStyles().getStyleByCell(raw)?.n?.pattern, locale);
      return next(text === null || !cell ? cell : { ...cell, v: text, t: CellValueType.STRING });
    },
  });
}

/** Null if the grid's own reading applies: text by format or by an apostrophe, or several styles in one cell. */
function typedValue(
  cell: Nullable<ICellData>,
  format: string | undefined,
  locale: LocaleFormat,
): ICellData | null {
  if (!cell || cell.t === CellValueType.FORCE_STRING || cell.t === CellValueType.STRING) return null;
  const text = documentText(cell) ?? String(cell.v ?? "");
  const { value, isFormula, numberFormat } = readTypedText(text, locale);
  if (value === null || isFormula || (cell.p && typeof value === "string")) return null;
  const isNewKind = numberFormat && (format === undefined || kindOf(format) !== kindOf(numberFormat));
  const isPercentage = !numberFormat && format !== undefined && kindOf(format) === "percent";
  const entered = isPercentage ? asPercentage(value) : value;
  return { ...valueData(entered), ...(isNewKind ? { s: { n: { pattern: numberFormat } } } : {}) };
}

/** In a cell that shows percentages, 12 is 12 %, and 0.12 as well, as in Excel. */
function asPercentage(value: CellValue): CellValue {
  return typeof value === "number" && Math.abs(value) >= 1 ? Number((value / 100).toPrecision(15)) : value;
}

/** Null if the grid reads the formula as it was typed. */
function typedFormula(formula: string, locale: LocaleFormat): ICellData | null {
  const read = readTypedFormula(formula, locale);
  return read === formula ? null : { f: read };
}

/** A cell keeps its own format if the typed value is of the same kind. */
function kindOf(format: string): "date" | "percent" | "number" {
  return numfmt.isDateFormat(format) ? "date" : format.includes("%") ? "percent" : "number";
}

/**
 * The text for the editor of a cell with a number, a date or a boolean, with all its digits, whatever its format shows; null for
 * anything else.
 */
function editedText(raw: Nullable<ICellData>, format = "", { decimal }: LocaleFormat): string | null {
  const value = raw?.v;
  if (typeof value !== "number" || typeof raw?.f === "string" || typeof raw?.si === "string") return null;
  if (raw?.t === CellValueType.BOOLEAN) return value === 0 ? "FALSE" : "TRUE";
  const kind = kindOf(format);
  const written = (number: number) => String(number).replace(".", decimal);
  if (kind === "percent") return `${written(Number((value * 100).toPrecision(15)))}%`;
  if (kind === "number") return written(value);
  if (value < 1) return null;
  const seconds = new Date(Math.round(msFromSerial(value) / 1_000) * 1_000).toISOString();
  const [day = "", time = ""] = seconds.split("T");
  return Number.isInteger(value) ? day : `${day} ${time.slice(0, 8)}`;
}

/**
 * Keeps text as text if an edit changes only a cell's style or formula, or replaces a part of the text. The grid would find the type
 * again from the cell's content: made bold, or moved by an inserted column, the text 00012345678905 would become a number without
 * its zeros. All other edits say which type they write.
 */
export function keepText({ api, injector }: Grid): void {
  injector.get(ICommandService).beforeCommandExecuted(({ id, params }) => {
    if (id !== SetRangeValuesMutation.id) return;
    const { subUnitId, cellValue = {} } = params as ISetRangeValuesMutationParams;
    const sheet = api.getActiveWorkbook()?.getWorkbook().getSheetBySheetId(subUnitId);
    const changes = new ObjectMatrix(cellValue);
    changes.forValue((row, col, change) => {
      const isText = change?.v === undefined || (typeof change.v === "string" && change.t === undefined);
      if (!change || !isText) return;
      const t = sheet?.getCellRaw(row, col)?.t;
      // Several cells may share one object, so it isn't changed.
      if (t === CellValueType.STRING) changes.setValue(row, col, { ...change, t });
    });
  });
}
