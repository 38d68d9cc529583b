/**
 * Sorting, filtering, finding and replacing: the grid maker's own plugins, 56 KB compressed. A chunk of its
 * own that is loaded once the sheets stand, so that first values do not wait for it. Finding is at work three
 * seconds after the first drawing: its plugin waits that long, and until then Ctrl+F does nothing. The buttons
 * to sort and to filter stand where they are seen, and not with the grid maker's last ones.
 */
import { LocaleService, LocaleType, mergeLocales } from "@univerjs/core";
import { UniverSheetsFilterPreset } from "@univerjs/preset-sheets-filter";
import filterWords from "@univerjs/preset-sheets-filter/locales/en-US";
import { UniverSheetsFindReplacePreset } from "@univerjs/preset-sheets-find-replace";
import findWords from "@univerjs/preset-sheets-find-replace/locales/en-US";
import { FormulaReorderController, IMenuManagerService } from "@univerjs/preset-sheets-core";
import { UniverSheetsSortPreset } from "@univerjs/preset-sheets-sort";
import sortWords from "@univerjs/preset-sheets-sort/locales/en-US";
import "@univerjs/preset-sheets-filter/lib/index.css";
import "@univerjs/preset-sheets-find-replace/lib/index.css";
import "@univerjs/preset-sheets-sort/lib/index.css";
import type { Grid } from "./create-grid";
import { registerPlugins } from "./plugins";
import { moveNotesWithRows } from "./sorted-notes";
import { sortAsExcel } from "./sorting";

export function addTools(grid: Grid): void {
  grid.injector
    .get(LocaleService)
    .load({ [LocaleType.EN_US]: mergeLocales(filterWords, findWords, sortWords) });
  // Moves formulas with their rows; the grid would make it three seconds after the first drawing, and its buttons are there before.
  grid.injector.get(FormulaReorderController);
  showInToolbar(grid.injector.get(IMenuManagerService));
  registerPlugins(grid.univer, [
    UniverSheetsSortPreset(),
    UniverSheetsFilterPreset(),
    UniverSheetsFindReplacePreset(),
  ]);
  sortAsExcel(grid);
  moveNotesWithRows(grid);
}

const dataGroup = "ribbon.data.organization";
/** Behind the formats of numbers, which are in view. */
const seenGroup = "ribbon.start.others";

/** The plugins name the group of their buttons themselves. */
function showInToolbar(menus: IMenuManagerService): void {
  const merge = menus.mergeMenu.bind(menus);
  menus.mergeMenu = (source, target) => {
    const { [dataGroup]: buttons, ...others } = source as Record<string, object>;
    merge(buttons === undefined ? source : { ...others, [seenGroup]: buttons }, target);
  };
}
