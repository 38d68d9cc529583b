/**
 * Saves the whole workbook as data: formulas with the values they showed. Cells that were waiting for an answer, and
 * spills (which the grid doesn't save), are calculated when the workbook is opened. All other formulas show their
 * saved values and make no calls.
 */
import {
  CommandType,
  ICommandService,
  IResourceManagerService,
  type IWorkbookData,
  type Nullable,
  UniverInstanceType,
} from "@univerjs/core";
import { SetRangeValuesMutation, SetWorksheetRowAutoHeightMutation } from "@univerjs/preset-sheets-core";
import { type CellPlace, pendingText } from "../functions/cell-values";
import { type CellReader, createCellReader } from "./cell-reader";
import type { Grid } from "./grid";

/**
 * Copies each cell, because cells change while the browser saves them. The grid's own copy of everything, and a
 * second one without some values, took 0.2 to 0.6 s for 40,000 formulas (measured).
 */
export function snapshotOf(grid: Grid): IWorkbookData {
  const book = grid.api.getActiveWorkbook()?.getWorkbook();
  if (!book) throw new Error("The workbook is closed. Reload the page.");
  const { sheets, ...rest } = book.getSnapshot();
  const reader = createCellReader(grid);
  const copied = Object.entries(sheets).map(([sheetId, { cellData, ...sheet }]) => [
    sheetId,
    { ...structuredClone(sheet), cellData: cellsOf(cellData ?? {}, reader, sheetId) },
  ]);
  const resources = grid.injector
    .get(IResourceManagerService)
    .getResources(book.getUnitId(), UniverInstanceType.UNIVER_SHEET);
  const active = book.getActiveSheet().getSheetId();
  return {
    ...structuredClone(rest),
    resources,
    sheets: Object.fromEntries(copied) as IWorkbookData["sheets"],
    custom: { ...rest.custom, [activeSheetKey]: active },
  };
}

type Cells = Readonly<Record<number, Readonly<Record<number, SavedCell | null>>>>;

function cellsOf(cells: Cells, reader: CellReader, sheetId: string): Cells {
  const copied: Record<number, Record<number, SavedCell | null>> = {};
  for (const [row, line] of Object.entries(cells)) {
    const own: Record<number, SavedCell | null> = {};
    for (const [col, cell] of Object.entries(line)) {
      own[Number(col)] =
        cell === null ? null : savedCell(cell, () => reader.spillSize(sheetId, Number(row), Number(col)));
    }
    copied[Number(row)] = own;
  }
  return copied;
}

/** Leaves out the values of waiting and spilled formulas, so that they are calculated when the workbook is opened. */
function savedCell(
  cell: SavedCell,
  spill: () => { readonly rows: number; readonly cols: number },
): SavedCell {
  const copy = { ...cell };
  if (!isFormula(cell)) return copy;
  const { rows, cols } = spill();
  if (cell.v === pendingText || rows > 1 || cols > 1) delete copy.v;
  return copy;
}

/** Formulas saved without a value. Only these are calculated when the workbook is opened. */
export function formulasWithoutValue(grid: Grid): readonly CellPlace[] {
  const places: CellPlace[] = [];
  for (const sheet of grid.api.getActiveWorkbook()?.getSheets() ?? []) {
    const sheetId = sheet.getSheetId();
    sheet
      .getSheet()
      .getCellMatrix()
      .forValue((row, col, cell) => {
        if (isFormula(cell) && (cell.v ?? null) === null) places.push({ sheetId, row, col });
      });
  }
  return places;
}

/** Setting with the tab in view, which the grid doesn't save. */
export const activeSheetKey = "inv.activeSheet";

/**
 * Calls the listener for every change that is saved: edits, styles, sheets, and calculated values. Heights that follow from the
 * contents are measured again when the workbook is opened, and widths that a number needs are local changes. Calculated values are
 * no edit.
 */
export function onSavedChange(grid: Grid, listener: (isEdit: boolean) => void): void {
  const commands = grid.injector.get(ICommandService);
  commands.onCommandExecuted(({ id, type }, options) => {
    if (type !== CommandType.MUTATION || id === SetWorksheetRowAutoHeightMutation.id) return;
    const isLocal = options?.onlyLocal === true;
    if (!isLocal || id === SetRangeValuesMutation.id) listener(!isLocal);
  });
}

/** The formula fields of a cell: its text, or the id of the formula it was filled from. */
interface SavedCell {
  f?: unknown;
  si?: unknown;
  v?: unknown;
}

function isFormula(cell: Nullable<SavedCell>): cell is SavedCell {
  return typeof cell?.f === "string" || typeof cell?.si === "string";
}
