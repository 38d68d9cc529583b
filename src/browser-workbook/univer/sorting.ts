/**
 * Sorts as Excel does: cells of one column select the whole list around them, and a first row of headings stays in place.
 * The grid refuses a single cell, separates stores from their items, and moves headings. The dialog of several orders
 * still sorts a single column.
 */
import { ICommandService, type ICellData, type IRange, type Nullable, type Worksheet } from "@univerjs/core";
import {
  expandToContinuousRange,
  SetSelectionsOperation,
  SheetsSelectionsService,
} from "@univerjs/preset-sheets-core";
import { SheetsFilterService } from "@univerjs/preset-sheets-filter";
import {
  SheetsSortService,
  SortRangeAscCommand,
  SortRangeAscInCtxMenuCommand,
  SortRangeDescCommand,
  SortRangeDescInCtxMenuCommand,
} from "@univerjs/preset-sheets-sort";
import type { Grid } from "./create-grid";

const sortsSelection: ReadonlySet<string> = new Set(
  [
    SortRangeAscCommand,
    SortRangeAscInCtxMenuCommand,
    SortRangeDescCommand,
    SortRangeDescInCtxMenuCommand,
  ].map(({ id }) => id),
);
const allAround = { up: true, down: true, left: true, right: true };

export function sortAsExcel(grid: Grid): void {
  let knowsHeadings = false;
  grid.injector.get(ICommandService).beforeCommandExecuted(({ id }) => {
    if (!sortsSelection.has(id)) return;
    // The grid creates the service some time after registering its plugin.
    if (!knowsHeadings) leaveHeadings(grid);
    knowsHeadings = true;
    selectList(grid);
  });
}

/** A choice of headings made in the dialog takes precedence. */
function leaveHeadings(grid: Grid): void {
  const sorts = grid.injector.get(SheetsSortService);
  const apply = sorts.applySort.bind(sorts);
  sorts.applySort = (option, ...place) => {
    const hasTitle = option.hasTitle ?? beginsWithHeadings(grid, option.range);
    apply({ ...option, hasTitle }, ...place);
  };
}

/** Keeps the active cell's column, which is the sort key. */
function selectList(grid: Grid): void {
  const sheet = activeSheet(grid);
  const { range, primary } = grid.injector.get(SheetsSelectionsService).getCurrentLastSelection() ?? {};
  if (!sheet || !range || !primary || range.startColumn !== range.endColumn) return;
  const col = range.startColumn;
  // A whole column's end row may be NaN.
  const isWhole = !(range.endRow < sheet.getRowCount() - 1);
  const startRow = isWhole ? firstFilledRow(sheet, col) : range.startRow;
  const endRow = isWhole ? startRow : range.endRow;
  const list = expandToContinuousRange(
    { startRow, endRow, startColumn: col, endColumn: col },
    allAround,
    sheet,
  );
  const cell = { startRow, endRow: startRow, startColumn: col, endColumn: col };
  grid.injector.get(ICommandService).syncExecuteCommand(SetSelectionsOperation.id, {
    unitId: sheet.getUnitId(),
    subUnitId: sheet.getSheetId(),
    selections: [
      { range: list, primary: { ...primary, ...cell, actualRow: startRow, actualColumn: col }, style: null },
    ],
  });
}

function firstFilledRow(sheet: Worksheet, col: number): number {
  const last = sheet.getRowCount() - 1;
  let row = 0;
  while (row < last && isBlank(sheet.getCellRaw(row, col))) row += 1;
  return row;
}

/** As in Excel, headings are texts above other kinds of values. Rows under a filter's headings have none. */
function beginsWithHeadings(grid: Grid, { startRow, endRow, startColumn, endColumn }: IRange): boolean {
  const sheet = activeSheet(grid);
  const filtered = grid.injector.get(SheetsFilterService).activeFilterModel?.getRange();
  if (!sheet || startRow >= endRow || filtered?.startRow === startRow - 1) return false;
  let isUnlike = false;
  for (let col = startColumn; col <= endColumn; col += 1) {
    const heading = sheet.getCellRaw(startRow, col);
    if (!isBlank(heading) && !isText(heading)) return false;
    const below = sheet.getCellRaw(startRow + 1, col);
    isUnlike ||= !isBlank(heading) && !isBlank(below) && !isText(below);
  }
  return isUnlike;
}

function activeSheet(grid: Grid): Worksheet | undefined {
  return grid.api.getActiveWorkbook()?.getActiveSheet().getSheet();
}

function isBlank(cell: Nullable<ICellData>): boolean {
  return !isFormula(cell) && (cell?.v ?? "") === "";
}

function isText(cell: Nullable<ICellData>): boolean {
  return !isFormula(cell) && typeof cell?.v === "string";
}

function isFormula(cell: Nullable<ICellData>): boolean {
  return typeof cell?.f === "string" || typeof cell?.si === "string";
}
