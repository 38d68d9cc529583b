/**
 * Saves the whole workbook as data: formulas with the values they showed, also those that they spilled, which the grid itself
 * doesn't save. When the workbook is opened, only formulas saved without a value are calculated: those that were waiting for an
 * answer, those that were too many, and those whose spill was beyond the limit. All others show their saved values, errors too, and make no calls.
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
import { type CellPlace, pendingText, placeKey } from "../functions/cell-values";
import type { BlockedArray, BlockedArrays } from "./patches/patch-spills";
import { type CellReader, createCellReader, type SpilledCells } from "./cell-reader";
import type { Grid } from "./grid";

/** What the grid doesn't save itself. */
interface SavedArrays {
  readonly spills: readonly SpilledCells[];
  readonly blocked: readonly BlockedArray[];
}

/** A workbook saved by an earlier INV has none. */
export interface SavedBook {
  readonly arrays?: SavedArrays;
}

/** In all spills together. Copying and storing this many takes 0.2 s (measured). */
const maxSpilledCells = 100_000;

/**
 * Copies each cell, because cells change while the browser saves them. The grid's own copy of everything, and a
 * second one without some values, took 0.2 to 0.6 s for 40,000 formulas (measured).
 */
export function snapshotOf(
  grid: Grid,
  { blocked, refused }: { readonly blocked: BlockedArrays; readonly refused: ReadonlyMap<string, CellPlace> },
): IWorkbookData & SavedBook {
  const book = grid.api.getActiveWorkbook()?.getWorkbook();
  if (!book) throw new Error("The workbook is closed. Reload the page.");
  const { sheets, ...rest } = book.getSnapshot();
  const reader = createCellReader(grid);
  const spills = savedSpills(reader, Object.keys(sheets));
  const saved = new Set(spills.map(placeKey));
  const copied = Object.entries(sheets).map(([sheetId, { cellData, ...sheet }]) => [
    sheetId,
    {
      ...structuredClone(sheet),
      cellData: cellsOf(cellData ?? {}, (row, col) => {
        const { rows, cols } = reader.spillSize(sheetId, row, col);
        const key = placeKey({ sheetId, row, col });
        return rows === 1 && cols === 1 ? !refused.has(key) : saved.has(key);
      }),
    },
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
    arrays: structuredClone({ spills, blocked: blocked.all() }),
  };
}

/** The spills that have all their values and are within the limit. */
function savedSpills(reader: CellReader, sheetIds: readonly string[]): SpilledCells[] {
  let remainingCells = maxSpilledCells;
  return sheetIds.flatMap((sheetId) =>
    reader.spills(sheetId).filter(({ cells }) => {
      const count = cells.length * (cells[0]?.length ?? 0);
      if (count > remainingCells || cells.flat().some((cell) => cell?.v === pendingText)) return false;
      remainingCells -= count;
      return true;
    }),
  );
}

/** Shows the saved spills again. Call before the grid's calculation is created, which compares spills with earlier ones. */
export function openSpills(grid: Grid, { arrays }: SavedBook): void {
  const reader = createCellReader(grid);
  for (const spill of arrays?.spills ?? []) reader.addSpill(spill);
}

type Cells = Readonly<Record<number, Readonly<Record<number, SavedCell | null>>>>;

/** @param hasValues whether the values of the formula in this cell are saved */
function cellsOf(cells: Cells, hasValues: (row: number, col: number) => boolean): Cells {
  const copied: Record<number, Record<number, SavedCell | null>> = {};
  for (const [row, line] of Object.entries(cells)) {
    const copiedLine: Record<number, SavedCell | null> = {};
    for (const [col, cell] of Object.entries(line)) {
      const copy = cell && { ...cell };
      const isWaiting = isFormula(copy) && (copy.v === pendingText || !hasValues(Number(row), Number(col)));
      if (isWaiting) delete copy.v;
      copiedLine[Number(col)] = copy;
    }
    copied[Number(row)] = copiedLine;
  }
  return copied;
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
