/**
 * Adds sorting, filtering, finding and replacing: the grid maker's own plugins, 56 KB compressed. They are a separate
 * chunk, loaded after the sheets, so that the first values don't wait for them.
 * Find works three seconds after the first drawing, because its plugin waits that long; until then, Ctrl+F does
 * nothing. The sort and filter buttons are moved to a visible place in the toolbar.
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
  // Moves formulas with their rows. The grid would create it only three seconds after the first drawing, later than
  // its buttons.
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
const seenGroup = "ribbon.start.others";

/** Moves the buttons, because the plugins choose their group themselves. */
function showInToolbar(menus: IMenuManagerService): void {
  const merge = menus.mergeMenu.bind(menus);
  menus.mergeMenu = (source, target) => {
    const { [dataGroup]: buttons, ...others } = source as Record<string, object>;
    merge(buttons === undefined ? source : { ...others, [seenGroup]: buttons }, target);
  };
}
