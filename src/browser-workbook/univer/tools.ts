/**
 * Adds filtering, finding and replacing: the grid maker's own plugins. They are a separate
 * chunk, loaded after the sheets, so that the first values don't wait for them.
 * Find works three seconds after the first drawing, because its plugin waits that long; until then, Ctrl+F does
 * nothing.
 */
import { LocaleService, LocaleType, mergeLocales } from "@univerjs/core";
import { UniverSheetsFilterPreset } from "@univerjs/preset-sheets-filter";
import filterWords from "@univerjs/preset-sheets-filter/locales/en-US";
import { UniverSheetsFindReplacePreset } from "@univerjs/preset-sheets-find-replace";
import findWords from "@univerjs/preset-sheets-find-replace/locales/en-US";
import "@univerjs/preset-sheets-filter/lib/index.css";
import "@univerjs/preset-sheets-find-replace/lib/index.css";
import type { Grid } from "./grid";
import { registerPlugins } from "./plugins";

export function addTools(grid: Grid): void {
  grid.injector.get(LocaleService).load({ [LocaleType.EN_US]: mergeLocales(filterWords, findWords) });
  registerPlugins(grid.univer, [UniverSheetsFilterPreset(), UniverSheetsFindReplacePreset()]);
}
