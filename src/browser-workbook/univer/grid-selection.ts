/**
 * The selected areas: reads them, and for the workbook port reports them, selects an area, and scrolls it into view if it is out of
 * sight.
 */
import { type IRange, LifecycleService, LifecycleStages, type Nullable } from "@univerjs/core";
import {
  AutoFillUIController,
  type FWorkbook,
  type FWorksheet,
  SheetsSelectionsService,
} from "@univerjs/preset-sheets-core";
import { createNotices } from "../../domain/notices";
import { unawaited } from "../../domain/unawaited";
import type { CellArea } from "../../formula/cells";
import type { SelectedAreas } from "../../workbook/port";
import type { Grid } from "./grid";
import { ensureSheetSize } from "./sheet-size";

export interface GridSelection {
  /** The sheet in view. */
  readonly sheet: FWorksheet;
  readonly areas: readonly [CellArea, ...CellArea[]];
  /** The area with the active cell. */
  readonly active: CellArea;
}

/**
 * Returns the selection, always within the sheet; A1 if nothing is selected. The grid's own may reach beyond the sheet, for example
 * after a column was selected and an inserted row undone, and its methods then fail.
 */
export function selectionOf(grid: Grid): GridSelection {
  const sheet = grid.api.getActiveWorkbook()?.getActiveSheet();
  if (!sheet) throw new Error("The workbook is closed. Reload the page.");
  const selections = grid.injector.get(SheetsSelectionsService).getCurrentSelections();
  const [lastRow, lastCol] = [sheet.getMaxRows() - 1, sheet.getMaxColumns() - 1];
  const areaWithin = ({ startRow, endRow, startColumn, endColumn }: IRange): CellArea => {
    const [row, col] = [Math.min(startRow, lastRow), Math.min(startColumn, lastCol)];
    return {
      row,
      rows: Math.min(endRow, lastRow) - row + 1,
      col,
      cols: Math.min(endColumn, lastCol) - col + 1,
    };
  };
  const active = selections.find(({ primary }) => primary) ?? selections[0];
  const [first = firstCell, ...others] = selections.map(({ range }) => areaWithin(range));
  return { sheet, areas: [first, ...others], active: active ? areaWithin(active.range) : firstCell };
}

const firstCell: CellArea = { row: 0, col: 0, rows: 1, cols: 1 };

export function createGridSelection(grid: Grid, book: () => FWorkbook) {
  const scrollIntoView = createScrollIntoView(grid);
  // By itself the grid binds the fill handle three seconds after the first drawing. Until then it would do nothing.
  unawaited(whenDrawn(grid).then(() => grid.injector.get(AutoFillUIController)));
  const notices = createNotices<SelectedAreas>();

  function selected(): SelectedAreas {
    const { sheet: shown, areas } = selectionOf(grid);
    const sheet = shown.getSheetName();
    const [first, ...others] = areas;
    return [{ sheet, ...first }, ...others.map((area) => ({ sheet, ...area }))];
  }

  const report = () => notices.tell(selected());
  grid.api.addEvent(grid.api.Event.SelectionChanged, report);
  grid.api.addEvent(grid.api.Event.ActiveSheetChanged, report);

  return {
    /** Calls the listener with the current selection and after every change. Returns the unsubscribe function. */
    onChange(listener: (areas: SelectedAreas) => void): () => void {
      listener(selected());
      return notices.subscribe(listener);
    },
    select(sheet: FWorksheet, area: CellArea): void {
      ensureSheetSize(sheet, area);
      book().setActiveSheet(sheet);
      sheet.getRange(area.row, area.col, area.rows, area.cols).activate();
      scrollIntoView(sheet, area);
      // The grid doesn't report the selection of a sheet that was just created.
      report();
    },
  };
}

/**
 * A sheet that was just shown is drawn in a later frame, and before the grid's first drawing nothing can scroll. So the
 * returned function waits, and does nothing if another area is selected meanwhile.
 */
function createScrollIntoView(grid: Grid): (sheet: FWorksheet, area: CellArea) => void {
  const drawn = whenDrawn(grid);
  let requests = 0;

  return (sheet, area) => {
    requests += 1;
    const request = requests;
    unawaited(
      drawn.then(() => {
        // One frame to show the sheet, one to draw it.
        window.requestAnimationFrame(() =>
          window.requestAnimationFrame(() => {
            if (request === requests) scrollTo(sheet, area);
          }),
        );
      }),
    );
  };
}

function scrollTo(sheet: FWorksheet, area: CellArea): void {
  const shown: Nullable<IRange> = sheet.getVisibleRange();
  if (!shown) return;
  // The last row and column may be cut off.
  const rowIsShown = area.row >= shown.startRow && area.row < shown.endRow;
  const colIsShown = area.col >= shown.startColumn && area.col < shown.endColumn;
  if (rowIsShown && colIsShown) return;
  sheet.scrollToCell(rowIsShown ? shown.startRow : area.row, colIsShown ? shown.startColumn : area.col);
}

function whenDrawn(grid: Grid): Promise<void> {
  const isDrawn = (stage: LifecycleStages) => stage >= LifecycleStages.Rendered;
  return new Promise((resolve) => {
    if (isDrawn(grid.injector.get(LifecycleService).stage)) resolve();
    grid.api.addEvent(grid.api.Event.LifeCycleChanged, ({ stage }) => {
      if (isDrawn(stage)) resolve();
    });
  });
}
