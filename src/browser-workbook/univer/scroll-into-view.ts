/**
 * Scrolls a selected area into view if it is out of sight. A sheet that was just shown is drawn in a later frame, and
 * before the grid's first drawing nothing can scroll. So this waits, and stops if another selection comes meanwhile.
 */
import { type IRange, LifecycleService, LifecycleStages, type Nullable } from "@univerjs/core";
import type { FWorksheet } from "@univerjs/preset-sheets-core";
import type { Rectangle } from "./cell-reader";
import type { Grid } from "./create-grid";

export function createScrollIntoView(grid: Grid): (sheet: FWorksheet, area: Rectangle) => void {
  const drawn = whenDrawn(grid);
  let latest = 0;

  return (sheet, area) => {
    latest += 1;
    const mine = latest;
    void drawn.then(() => {
      // One frame to show the sheet, one to draw it.
      window.requestAnimationFrame(() =>
        window.requestAnimationFrame(() => {
          if (mine === latest) scrollTo(sheet, area);
        }),
      );
    });
  };
}

function scrollTo(sheet: FWorksheet, area: Rectangle): void {
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
