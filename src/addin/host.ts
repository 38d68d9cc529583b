/**
 * The host of this page: Excel (through Office.js), the browser workbook, or none (a plain page). A host provides the open
 * workbook, the theme and facts for support. In this folder, only this file reads Office's globals.
 */
import { createOfficeWorkbook } from "../workbook/office/workbook";
import type { BrowserHost, ShownStock, Theme } from "../workbook/browser-host";
import type { Workbook } from "../workbook/port";
import { createObservable, type Observable } from "../domain/notices";
import type { Clock } from "../engine/clock";
import type { HostFacts } from "../taskpane/services";
import { createMessageWindow, type Dialogs, type HostMessage } from "./message-window";
import { createPaneVisibility, type PaneVisibility, shownWithinMs } from "./pane-visibility";
import { withTimeLimit } from "./time-limit";

export interface Host {
  readonly facts: HostFacts;
  readonly theme: Observable<Theme>;
  /** Null if there is no workbook. */
  readonly workbook: Promise<Workbook> | null;
  /** Prefix of every key in this page's storage, which Excel on the web shares between hosts. */
  readonly partition: string;
  readonly focusGrid: (() => void) | null;
  /** Shows the age of the stock beside the grid; null if only the pane shows it. */
  readonly showStock: ((stock: ShownStock) => void) | null;
  /** Shows dialogs; null outside Excel. */
  readonly dialogs: Dialogs | null;
  /** Returns the text being typed into a cell, or null. Null itself if the host doesn't report it. */
  readonly editedFormula: (() => string | null) | null;
  /** Whether a function may return a number with its format. */
  readonly formatsTimes: boolean;
  /** Whether every error may include its text: Excel limits the size of its messages. */
  readonly takesAllTexts: boolean;
  /** Reports that the pane is shown, for hosts that know more than the page's visibility. */
  onShown(listener: () => void): void;
  /** Shows the pane. Resolves with whether it is visible then: Excel ignores the request of some installations. */
  showPane(): Promise<boolean>;
  /** Opens a page in the system's browser. Returns false if the browser refused. */
  openPage(address: string): boolean;
  /** Shows a message in a window of its own; does nothing if the host refuses the window. */
  showMessage(message: HostMessage): void;
  /** Sets whether INV starts by itself when this workbook is opened. */
  startWithWorkbook(starts: boolean): Promise<void>;
}

/** Requirement sets that INV needs, as in the manifest, each with the warning to show if it is missing. */
export const requirementSets: readonly (readonly [set: string, version: string, lack: string])[] = [
  ["SharedRuntime", "1.1", "This Excel can't run INV's functions and pane together. Update Excel."],
  [
    "CustomFunctionsRuntime",
    "1.2",
    "This Excel has no custom functions, so =INV.QTY can't work. Update Excel.",
  ],
  ["ExcelApi", "1.9", "This Excel is too old to refresh chosen cells. Update Excel."],
];

/** Resolves when the host has answered. Outside Excel, Office.js reports no host within a moment. */
export async function findHost(browserHost: BrowserHost | null, clock: Clock): Promise<Host> {
  if (browserHost) return browserWorkbookHost(browserHost);
  const { host } = await Office.onReady();
  return host === Office.HostType.Excel ? excelHost(clock) : pageHost();
}

function browserWorkbookHost(browserHost: BrowserHost): Host {
  const theme = createObservable<Theme>("light");
  browserHost.onTheme((next) => theme.set(next));
  return {
    facts: {
      kind: "browser-workbook",
      description: "INV's browser workbook",
      lacks: [],
      countsFrom1904: createObservable(false),
    },
    theme,
    workbook: browserHost.workbook,
    partition: "",
    focusGrid: () => browserHost.focusGrid(),
    dialogs: null,
    showStock: (stock) => browserHost.showStock(stock),
    editedFormula: () => browserHost.editedFormula(),
    formatsTimes: true,
    takesAllTexts: true,
    onShown: () => undefined,
    showPane: () => {
      browserHost.showPane();
      return Promise.resolve(true);
    },
    openPage: openWindow,
    showMessage: () => undefined,
    startWithWorkbook: () => Promise.resolve(),
  };
}

function excelHost(clock: Clock): Host {
  const { diagnostics, requirements } = Office.context;
  const visibility = followVisibility(clock);
  const messages = createMessageWindow(Office.context.ui, clock);
  return {
    facts: {
      kind: "excel",
      description: `${diagnostics.host} ${diagnostics.version} (${diagnostics.platform})`,
      lacks: requirementSets
        .filter(([set, version]) => !requirements.isSetSupported(set, version))
        .map(([, , lack]) => lack),
      countsFrom1904: readDateSystem(),
    },
    theme: officeTheme(Office.context),
    workbook: Promise.resolve(createOfficeWorkbook({ excel: Excel, office: Office })),
    partition: partitionOf(Office.context),
    focusGrid: null,
    dialogs: messages.dialogs,
    showStock: null,
    editedFormula: null,
    formatsTimes: requirements.isSetSupported("CustomFunctionsRuntime", "1.4"),
    takesAllTexts: false,
    onShown: visibility.onShown,
    async showPane() {
      // Excel ignores this call if the add-in comes from Microsoft's Marketplace (documented, since February 2026).
      await withTimeLimit(Office.addin.showAsTaskpane(), {
        clock,
        limitMs: shownWithinMs,
        otherwise: undefined,
      });
      return visibility.isShown();
    },
    openPage(address) {
      // Excel on the web lacks it, and is in a browser itself.
      if (!requirements.isSetSupported("OpenBrowserWindowApi", "1.1")) return openWindow(address);
      Office.context.ui.openBrowserWindow(address);
      return true;
    },
    showMessage: (message) => messages.show(message),
    startWithWorkbook: (starts) =>
      Office.addin.setStartupBehavior(starts ? Office.StartupBehavior.load : Office.StartupBehavior.none),
  };
}

function openWindow(address: string): boolean {
  const opened = window.open(address, "_blank");
  if (opened !== null) opened.opener = null;
  return opened !== null;
}

/**
 * Excel's theme. Newer versions report `isDarkTheme`, and older ones only colours. Excel on the web reports nothing, and INV
 * then uses the light theme.
 */
function officeTheme(context: Office.Context): Observable<Theme> {
  const source = createObservable<Theme>(themeOf(context.officeTheme));
  try {
    context.document.addHandlerAsync(Office.EventType.OfficeThemeChanged, () =>
      source.set(themeOf(context.officeTheme)),
    );
  } catch {
    // Versions without that event keep their first theme.
  }
  return source;
}

/** Returns the theme. Exported for the tests' table of cases. */
export function themeOf(theme: Partial<Office.OfficeTheme> | undefined): Theme {
  if (theme?.isDarkTheme !== undefined) return theme.isDarkTheme ? "dark" : "light";
  const [, red, green, blue] =
    /^#?([\da-f]{2})([\da-f]{2})([\da-f]{2})/i.exec(theme?.bodyBackgroundColor ?? "") ?? [];
  if (red === undefined || green === undefined || blue === undefined) return "light";
  const brightness = 0.299 * parseInt(red, 16) + 0.587 * parseInt(green, 16) + 0.114 * parseInt(blue, 16);
  return brightness < 128 ? "dark" : "light";
}

function followVisibility(clock: Clock): PaneVisibility {
  return createPaneVisibility({
    clock,
    nextFrame,
    follow(listener) {
      try {
        const following = Office.addin.onVisibilityModeChanged(({ visibilityMode }) =>
          listener(visibilityMode === Office.VisibilityMode.taskpane),
        );
        following.catch(() => undefined);
      } catch {
        // An Excel without a shared runtime: only the page's visibility is available.
      }
    },
  });
}

/** Resolves when the browser draws the page, if it has a size. */
function nextFrame(): Promise<boolean> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve(innerWidth > 0)));
}

/**
 * Reports whether the workbook counts days from 1904. Excel has no property for it, so INV asks for the number of a date. A workbook
 * that can't be read now counts as usual.
 */
function readDateSystem(): Observable<boolean> {
  const countsFrom1904 = createObservable(false);
  Excel.run(async (context) => {
    const secondDayOf1904 = context.workbook.functions.date(1904, 1, 2);
    secondDayOf1904.load("value");
    await context.sync();
    countsFrom1904.set(secondDayOf1904.value === 1);
  }).catch(() => undefined);
  return countsFrom1904;
}

/**
 * Returns "" on the desktop, where the key is undefined because no storage is shared. The type definitions describe only the
 * web.
 */
function partitionOf(context: { readonly partitionKey?: string }): string {
  return context.partitionKey ?? "";
}

function pageHost(): Host {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = createObservable<Theme>(dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => theme.set(dark.matches ? "dark" : "light"));
  return {
    facts: {
      kind: "page",
      description: "a browser page outside Excel",
      lacks: [],
      countsFrom1904: createObservable(false),
    },
    theme,
    workbook: null,
    partition: "",
    focusGrid: null,
    dialogs: null,
    showStock: null,
    editedFormula: null,
    formatsTimes: false,
    takesAllTexts: false,
    onShown: () => undefined,
    showPane: () => Promise.resolve(true),
    openPage: openWindow,
    showMessage: () => undefined,
    startWithWorkbook: () => Promise.resolve(),
  };
}
