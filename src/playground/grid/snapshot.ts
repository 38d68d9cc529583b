/**
 * The whole workbook as data, to be opened again: formulas with the values they showed. What waited for an
 * answer, and what spilled (the grid saves no spilled cells), is calculated when it is opened; all
 * other formulas show what they showed, and ask nothing.
 */
import { CommandType, ICommandService, type IWorkbookData, type Nullable } from "@univerjs/core";
import { SetRangeValuesMutation } from "@univerjs/preset-sheets-core";
import { type CellPlace, pendingText } from "../functions/cell-values";
import { createCellReader } from "./cell-reader";
import type { Grid } from "./create-grid";

export function snapshotOf(grid: Grid): IWorkbookData {
  const book = grid.api.getActiveWorkbook();
  if (book === null) throw new Error("The workbook is closed. Reload the page.");
  const reader = createCellReader(grid);
  const data = structuredClone(book.save());
  for (const [sheetId, sheet] of Object.entries(data.sheets)) {
    for (const [row, line] of Object.entries(sheet.cellData ?? {})) {
      for (const [col, cell] of Object.entries(line as Record<string, SavedCell | null>)) {
        if (!isFormula(cell)) continue;
        const { rows, cols } = reader.spillSize(sheetId, Number(row), Number(col));
        if (cell.v === pendingText || rows > 1 || cols > 1) delete cell.v;
      }
    }
  }
  const active = book.getActiveSheet().getSheetId();
  return { ...data, custom: { ...data.custom, [activeSheetKey]: active } };
}

/** Formulas that were saved without a value: these alone are calculated when the workbook is opened. */
export function cellsWithoutValue(grid: Grid): CellPlace[] {
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

/** The tab that was shown; the grid saves all but this. */
export const activeSheetKey = "inv.activeSheet";

/** Told of everything that is saved: edits, looks, sheets, and values that were calculated. */
export function onSavedChange(grid: Grid, listener: () => void): void {
  const commands = grid.injector.get(ICommandService);
  commands.onCommandExecuted(({ id, type }, options) => {
    if (type !== CommandType.MUTATION) return;
    if (options?.onlyLocal === true && id !== SetRangeValuesMutation.id) return;
    listener();
  });
}

/** What a cell holds of a formula: its text, or the id of one it was filled from. */
interface SavedCell {
  f?: unknown;
  si?: unknown;
  v?: unknown;
}

function isFormula(cell: Nullable<SavedCell>): cell is SavedCell {
  return typeof cell?.f === "string" || typeof cell?.si === "string";
}
