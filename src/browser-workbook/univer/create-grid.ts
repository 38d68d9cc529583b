/**
 * Starts the grid (Univer) in an element of the page: its plugins, the add-in's functions, its theme, and
 * the saved workbook or one empty sheet. This file and its neighbours are the only ones that know Univer; it
 * is loaded as a chunk of its own, so that the pane starts beside it.
 */
import { type Injector, LocaleType, LogLevel, mergeLocales, Univer } from "@univerjs/core";
import { FUniver } from "@univerjs/core/facade";
import {
  CalculationMode,
  CELL_INVERTED_INDEX_CACHE,
  UniverFormulaEnginePlugin,
  UniverSheetsCorePreset,
  UniverSheetsNumfmtPlugin,
  UniverUIPlugin,
} from "@univerjs/preset-sheets-core";
import english from "@univerjs/preset-sheets-core/locales/en-US";
import { UniverSheetsConditionalFormattingPreset } from "@univerjs/preset-sheets-conditional-formatting";
import englishColours from "@univerjs/preset-sheets-conditional-formatting/locales/en-US";
import { UniverSheetsNotePreset } from "@univerjs/preset-sheets-note";
import englishNotes from "@univerjs/preset-sheets-note/locales/en-US";
import { adoptedTheme } from "./styles/adopted-theme";
import { addInFunctions, functionInfos, patientFunctions } from "./calculation/engine-functions";
import { teachPendingError } from "./calculation/engine-values";
import { hiddenMenuItems } from "./menu";
import { cellStyle } from "./cell-style";
import { registerPlugins } from "./plugins";
import { patchRowHeights } from "./patches/patch-row-heights";
import { patchValueIndex } from "./patches/patch-value-index";
import { wholeClipboard } from "./edits/whole-clipboard";
import type { CellCalls } from "../functions/cell-calls";
import type { FunctionsFile } from "../functions/functions-file";

export interface GridOptions {
  readonly container: HTMLElement;
  readonly file: FunctionsFile;
  readonly evaluate: CellCalls["evaluate"];
  readonly dark: boolean;
  /** Name of the sheet the workbook begins with. */
  readonly firstSheet: string;
  /** A workbook that was saved, to be opened in place of a new one. */
  readonly saved: object | null;
}

/** The running grid: its public API, and the container of its services. */
export interface Grid {
  readonly api: FUniver;
  readonly injector: Injector;
  /** Takes further plugins. */
  readonly univer: Univer;
}

/**
 * The engine pauses after this many formulas, some 80 ms, and the page takes keys and answers. A sheet's calls stay as
 * few as without pauses, because INV sees that cells are still arriving. What is edited in a pause: engine-runs.ts.
 */
const formulasBetweenPauses = 1_000;

/** Of the bar that shows how far a long calculation is; the grid's own English lacks them. */
const missingTexts = {
  "sheets-formula": {
    progress: {
      analyzing: "Preparing",
      calculating: "Calculating",
      "array-analysis": "Preparing",
      "array-calculation": "Calculating",
      done: "Done",
    },
  },
};

export function createGrid(options: GridOptions): Grid {
  teachPendingError();
  patchRowHeights();
  patchValueIndex(CELL_INVERTED_INDEX_CACHE);
  const univer = new Univer({
    locale: LocaleType.EN_US,
    locales: { [LocaleType.EN_US]: mergeLocales(english, englishColours, englishNotes, missingTexts) },
    logLevel: LogLevel.WARN,
    darkMode: options.dark,
  });
  const preset = UniverSheetsCorePreset({
    container: options.container,
    disableAutoFocus: true,
    menu: hiddenMenuItems,
    ribbonType: "simple",
    // GTINs are text that looks like a number; marking each of them would hide the marks that matter.
    sheets: { disableForceStringMark: true, disableForceStringAlert: true, protectedRangeShadow: false },
    formula: {
      // As Excel: what was saved with a value shows it, and asks nothing. The engine's own choice of what has
      // no value counts 0 and "" as none; ours is in snapshot.ts.
      initialFormulaComputing: CalculationMode.NO_CALCULATION,
      function: [...patientFunctions(), ...addInFunctions(options.file, options.evaluate)],
      description: functionInfos(options.file),
    },
  });
  const others = [UniverSheetsConditionalFormattingPreset(), UniverSheetsNotePreset()];
  registerPlugins(univer, [preset, ...others], extraConfig);
  const api = FUniver.newAPI(univer);
  api.createWorkbook(
    options.saved ?? {
      id: "workbook",
      name: "Workbook",
      sheetOrder: ["first"],
      sheets: {
        first: {
          id: "first",
          name: options.firstSheet,
          rowCount: 1000,
          columnCount: 26,
          defaultStyle: cellStyle,
        },
      },
    },
  );
  return { api, injector: univer.__getInjector(), univer };
}

function extraConfig(plugin: unknown): object {
  if (plugin === UniverUIPlugin) return { override: [adoptedTheme, wholeClipboard] };
  // Nor does it go for cells that are formatted as text.
  if (plugin === UniverSheetsNumfmtPlugin) {
    return { disableTextFormatMark: true, disableTextFormatAlert: true };
  }
  if (plugin === UniverFormulaEnginePlugin) return { intervalCount: formulasBetweenPauses };
  return {};
}
