/**
 * Starts the grid (Univer) in an element of the page: its plugins, the add-in's functions, its theme, and the saved
 * workbook or one empty sheet. It replaces two services that the page's Content-Security-Policy refuses: the theme,
 * which the grid would add as a <style> element, and copying through the asynchronous clipboard, where the browser
 * parses the copied HTML and reports its styles. It also guards the grid against sheets that are deleted while it shows
 * or measures them. Only this folder and `open-grid.ts` depend on Univer. It is a separate chunk, so that the pane
 * starts in parallel.
 */
import {
  type Dependency,
  ICommandService,
  LocaleType,
  LogLevel,
  mergeLocales,
  ThemeService,
  Univer,
} from "@univerjs/core";
import { FUniver } from "@univerjs/core/facade";
import {
  BrowserClipboardService,
  CalculationMode,
  CancelMarkDirtyRowAutoHeightOperation,
  HTML_CLIPBOARD_MIME_TYPE,
  IClipboardInterfaceService,
  type IMarkDirtyRowAutoHeightOperationParams,
  type IRemoveSheetMutationParams,
  MarkDirtyRowAutoHeightOperation,
  PLAIN_TEXT_CLIPBOARD_MIME_TYPE,
  RemoveSheetMutation,
  ThemeSwitcherService,
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
  boundedFunctions,
  clockFunctions,
  functionInfos,
  pendingAwareFunctions,
} from "./calculation/engine-functions";
import { addPendingErrorType } from "./calculation/engine-values";
import { inOnePiece } from "./calculation/engine-runs";
import { reasonAlerts } from "./cell-reasons";
import { ownClipboardService } from "./edits/clipboard";
import { shortcutsWithoutLists } from "./edits/enter-and-tab";
import { hiddenMenuItems, toolbarMenus } from "./menu";
import { cellStyle } from "./cell-data";
import type { Grid } from "./grid";
import { registerPlugins } from "./plugins";
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
  "purple.900",
  "green.700",
  "blue.700",
  "yellow.800",
  "pink.700",
  "jiqing.800",
  "orange.700",
  "gray.800",
  "indigo.900",
  "red.700",
  "green.800",
  "yellow.700",
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
  const grid = { api, injector: univer.__getInjector(), univer };
  keepVisibleSheetActive(grid);
  cancelHeightsOfDeletedSheets(grid);
  return grid;
}

function extraConfig(plugin: unknown): object {
  if (plugin === UniverUIPlugin) {
    return { override: [...policyOverrides, shortcutsWithoutLists, toolbarMenus] };
  }
  if (plugin === UniverSheetsUIPlugin) return { override: [reasonAlerts, ownClipboardService] };
  // Don't mark cells formatted as text either.
  if (plugin === UniverSheetsNumfmtPlugin) {
    return { disableTextFormatMark: true, disableTextFormatAlert: true };
  }
  if (plugin === UniverFormulaEnginePlugin) return inOnePiece;
  return {};
}

type Theme = Parameters<ThemeSwitcherService["injectThemeToHead"]>[0];

/** Puts the theme variables into a constructed style sheet, which the policy allows. */
class AdoptedTheme extends ThemeSwitcherService {
  readonly #sheet = new CSSStyleSheet();

  override injectThemeToHead(theme: Theme): void {
    this.#sheet.replaceSync(`:root{${variables(theme, "--univer").join("")}}`);
    if (!document.adoptedStyleSheets.includes(this.#sheet)) document.adoptedStyleSheets.push(this.#sheet);
  }
}

function variables(values: object, path: string): string[] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "object" && value !== null
      ? variables(value, `${path}-${key}`)
      : [`${path}-${key}:${String(value)};`],
  );
}

/** Writes the HTML of copied cells unchanged, through a copy event. */
class UnalteredClipboard extends BrowserClipboardService {
  override async write(text: string, html: string, customData?: Record<string, string>): Promise<void> {
    if (!writeByEvent(text, html)) await super.write(text, html, customData);
  }
}

/** False if the browser doesn't allow it now. */
function writeByEvent(text: string, html: string): boolean {
  const written = { isDone: false };
  const onCopy = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData(PLAIN_TEXT_CLIPBOARD_MIME_TYPE, text);
    event.clipboardData?.setData(HTML_CLIPBOARD_MIME_TYPE, html);
    written.isDone = event.clipboardData !== null;
  };
  document.addEventListener("copy", onCopy, true);
  // oxlint-disable-next-line typescript/no-deprecated -- the only way that leaves the HTML as it is.
  document.execCommand("copy");
  document.removeEventListener("copy", onCopy, true);
  return written.isDone;
}

/** For the grid's UI plugin. */
const policyOverrides: Dependency[] = [
  [ThemeSwitcherService, { useClass: AdoptedTheme }],
  [IClipboardInterfaceService, { useClass: UnalteredClipboard, lazy: true }],
];

/**
 * Keeps a visible sheet in view. It shows another sheet before the one in view is removed, for example by an undo, and
 * if a hidden sheet comes into view, for example by a redo. The grid measures each edit on the sheet in view. Without
 * one it would fail, and no other listener would receive the edit.
 */
function keepVisibleSheetActive({ api, injector }: Grid): void {
  injector.get(ICommandService).beforeCommandExecuted(({ id, params }) => {
    const book = api.getActiveWorkbook();
    if (id !== RemoveSheetMutation.id || !book) return;
    const { subUnitId } = params as { readonly subUnitId: string };
    if (book.getActiveSheet().getSheetId() !== subUnitId) return;
    const sheets = book.getSheets();
    const at = sheets.findIndex((sheet) => sheet.getSheetId() === subUnitId);
    const beside = [...sheets.slice(at + 1), ...sheets.slice(0, at).reverse()];
    const next = beside.find((sheet) => !sheet.isSheetHidden());
    if (next) book.setActiveSheet(next);
  });
  let seen = "";
  api.addEvent(api.Event.ActiveSheetChanged, ({ workbook, activeSheet }) => {
    if (!activeSheet.isSheetHidden()) seen = activeSheet.getSheetId();
    else if (workbook.getSheetBySheetId(seen)) workbook.setActiveSheet(seen);
  });
}

/**
 * Cancels measuring the rows of a sheet that is deleted. The grid measures rows out of view when the page is idle; if their sheet
 * is gone by then, it fails and measures no sheet any more.
 */
function cancelHeightsOfDeletedSheets({ injector }: Grid): void {
  const commands = injector.get(ICommandService);
  /** Each sheet's measurements by their ids, which are random. */
  const measurements = new Map<string, Set<string>>();
  commands.onCommandExecuted(({ id, params }) => {
    if (id !== MarkDirtyRowAutoHeightOperation.id) return;
    const { subUnitId, id: measurement } = params as IMarkDirtyRowAutoHeightOperationParams;
    measurements.set(subUnitId, (measurements.get(subUnitId) ?? new Set()).add(measurement));
  });
  commands.beforeCommandExecuted(({ id, params }) => {
    if (id !== RemoveSheetMutation.id) return;
    const { unitId, subUnitId } = params as IRemoveSheetMutationParams;
    for (const measurement of measurements.get(subUnitId) ?? []) {
      commands.syncExecuteCommand(CancelMarkDirtyRowAutoHeightOperation.id, {
        unitId,
        subUnitId,
        id: measurement,
      });
    }
    measurements.delete(subUnitId);
  });
}
