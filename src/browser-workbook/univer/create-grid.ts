/**
 * Starts the grid (Univer) in an element of the page: its plugins, the add-in's functions, its theme, and the saved
 * workbook or one empty sheet.
 * Only this file and its neighbors depend on Univer. It is a separate chunk, so that the pane starts in parallel.
 */
import { LocaleType, LogLevel, mergeLocales, ThemeService, Univer } from "@univerjs/core";
import { FUniver } from "@univerjs/core/facade";
import {
  CalculationMode,
  UniverFormulaEnginePlugin,
  UniverSheetsCorePreset,
  UniverSheetsNumfmtPlugin,
  UniverSheetsUIPlugin,
  UniverUIPlugin,
} from "@univerjs/preset-sheets-core";
import english from "@univerjs/preset-sheets-core/locales/en-US";
import { UniverSheetsConditionalFormattingPreset } from "@univerjs/preset-sheets-conditional-formatting";
import englishColours from "@univerjs/preset-sheets-conditional-formatting/locales/en-US";
import { UniverSheetsNotePreset } from "@univerjs/preset-sheets-note";
import englishNotes from "@univerjs/preset-sheets-note/locales/en-US";
import {
  addInFunctions,
  clockFunctions,
  functionInfos,
  pendingAwareFunctions,
} from "./calculation/engine-functions";
import { addPendingErrorType } from "./calculation/engine-values";
import { boundedFunctions } from "./calculation/bounded-functions";
import { inOnePiece } from "./calculation/engine-runs";
import { reasonAlerts } from "./cell-reasons";
import { shortcutsWithoutLists } from "./edits/enter-and-tab";
import { ownPaste } from "./edits/paste-into-grid";
import { hiddenMenuItems, toolbarMenus } from "./menu";
import { cellStyle } from "./cell-data";
import type { Grid } from "./grid";
import { registerPlugins } from "./plugins";
import { policyOverrides } from "./policy-overrides";
import type { CellCalls } from "../functions/cell-calls";
import type { FunctionDescription } from "../functions/functions-file";

export interface GridOptions {
  readonly container: HTMLElement;
  readonly descriptions: readonly FunctionDescription[];
  readonly evaluate: CellCalls["evaluate"];
  readonly dark: boolean;
  readonly firstSheet: string;
  readonly saved: object | null;
}

/**
 * The colours of references in an edited formula. The grid inverts colours in dark, and some of its own are then too dark to
 * read. These are dark enough on white, and so light enough when inverted.
 */
const referenceColours = [
  ...[
    "purple.900",
    "green.700",
    "blue.700",
    "yellow.800",
    "pink.700",
    "jiqing.800",
    "orange.700",
    "gray.800",
  ],
  ...["indigo.900", "red.700", "green.800", "yellow.700"],
];

export function createGrid(options: GridOptions): Grid {
  addPendingErrorType();
  const univer = new Univer({
    locale: LocaleType.EN_US,
    locales: { [LocaleType.EN_US]: mergeLocales(english, englishColours, englishNotes) },
    logLevel: LogLevel.WARN,
    darkMode: options.dark,
  });
  const themes = univer.__getInjector().get(ThemeService);
  const loopColours = Object.fromEntries(referenceColours.map((colour, index) => [index + 1, colour]));
  themes.setTheme({ ...themes.getCurrentTheme(), "loop-color": loopColours } as never);
  const preset = UniverSheetsCorePreset({
    container: options.container,
    disableAutoFocus: true,
    menu: hiddenMenuItems,
    ribbonType: "simple",
    // GTINs are text that looks like a number. Marking each of them would hide the important marks.
    sheets: { disableForceStringMark: true, disableForceStringAlert: true, protectedRangeShadow: false },
    formula: {
      // As in Excel, a saved value is shown and makes no calls. The engine's own test for a missing value includes 0
      // and ""; snapshot.ts has ours.
      initialFormulaComputing: CalculationMode.NO_CALCULATION,
      function: [
        ...pendingAwareFunctions(),
        ...clockFunctions(),
        ...boundedFunctions(),
        ...addInFunctions(options.descriptions, options.evaluate),
      ],
      description: functionInfos(options.descriptions),
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
  if (plugin === UniverUIPlugin) {
    return { override: [...policyOverrides, shortcutsWithoutLists, toolbarMenus] };
  }
  if (plugin === UniverSheetsUIPlugin) return { override: [reasonAlerts, ownPaste] };
  // Don't mark cells formatted as text either.
  if (plugin === UniverSheetsNumfmtPlugin) {
    return { disableTextFormatMark: true, disableTextFormatAlert: true };
  }
  if (plugin === UniverFormulaEnginePlugin) return inOnePiece;
  return {};
}
