/**
 * Everything the pane may see and do, from Excel, the browser workbook or a test. The pane constructs none of it, and keeps a
 * secret only in the field where it is typed.
 */
import type { CellRegister } from "../cells/cell-register";
import type { AutoRefreshChoice } from "../connection/auto-refresh-choice";
import type { SettingsService } from "../connection/device-settings";
import type { PublishedTemplates } from "../connection/published-templates";
import type { ConnectionService } from "../connection/types";
import type { Environment } from "../domain/environment";
import type { Source } from "../domain/notices";
import type { Clock } from "../engine/clock";
import type { Engine } from "../engine/types";
import type { Theme } from "../workbook/browser-host";
import type { FunctionPreview } from "../workbook/function-preview";
import type { OpenWorkbook } from "../workbook/open-workbook";
import type { StockAge } from "../workbook/refresh/stock-age";

export interface HostFacts {
  readonly kind: "excel" | "browser-workbook" | "page";
  /** For support: application, platform and version in one line. */
  readonly description: string;
  /** What INV needs and this Excel lacks, in words; empty when all is well. */
  readonly lacks: readonly string[];
  /** Whether a second INV answers the formulas of this workbook, as far as this page can tell. */
  readonly isOpenTwice: Source<boolean>;
}

/** The tabs of the pane, in their order. */
export type TabId = "refresh" | "inspect" | "build" | "settings";
/** The views within Inspect and Build. */
export type ViewId = "cell" | "problems" | "check" | "formula" | "templates" | "lists" | "freeze";

/** A tab, and optionally a view or a part of it to open; or the help, optionally on one function or topic. */
export type WantedView =
  | { readonly tab: TabId; readonly view?: ViewId; readonly part?: "old-values" }
  | { readonly help: string | null };

/** What commands of the ribbon, the menus and the keyboard want the pane to show. */
export interface CommandState {
  /** Why the last command failed; null when it did not. */
  readonly failure: Source<string | null>;
  /** What a command wants to show. A new object each time, so that the same view can be shown again. */
  readonly wanted: Source<WantedView | null>;
  /** Brings the list of old values into view. */
  showOldValues(): void;
  /** Brings the help into view, of the function in the selected cell where there is one. */
  showHelp(): void;
  dismiss(): void;
}

/** What a sign-in window reports. */
export type SignInEvent =
  | { readonly kind: "code"; readonly code: string }
  /** The browser or Excel didn't open it. */
  | { readonly kind: "refused" }
  /** By the person. Not every host reports it. */
  | { readonly kind: "closed" };

export interface SignInPopup {
  close(): void;
}

/** A sign-in that can open its window at once: browsers open windows only at a click. */
export interface PreparedSignIn {
  /** The window's address, for browsers that didn't open it. */
  readonly link: string;
  open(onEvent: (event: SignInEvent) => void): SignInPopup;
  /** Signs in with the code and connects. Rejects with an InvError; `signed-out` if the code is wrong. */
  signIn(code: string, remember: boolean): Promise<void>;
}

export interface SignInService {
  /** Rejects with an InvError if this page can't sign in. */
  prepare(environment: Environment): Promise<PreparedSignIn>;
  /** Signs out here even if it rejects because the server can't be reached. */
  signOut(environment: Environment): Promise<void>;
}

export interface PaneServices {
  readonly commands: CommandState;
  /** Reads a JSON file beside the add-in. Rejects with an InvError. */
  readJson(path: string): Promise<unknown>;
  readonly functionPreview: FunctionPreview;
  readonly engine: Engine;
  readonly cells: CellRegister;
  readonly clock: Clock;
  readonly connection: ConnectionService;
  readonly signIn: SignInService;
  /** Templates published in the environment in use. */
  published(): Promise<PublishedTemplates>;
  readonly settings: SettingsService;
  /** Automatic refresh of the open workbook. */
  readonly autoRefresh: AutoRefreshChoice;
  /** How old the stock shown is, and whether it is going to be renewed. */
  readonly age: Source<StockAge>;
  readonly workbook: Source<OpenWorkbook>;
  readonly theme: Source<Theme>;
  readonly host: HostFacts;
  readonly version: string;
  /** Connects to the demo environment and fills a sample sheet. Rejects with an InvError. */
  tryDemo(): Promise<void>;
  /** Selects a cell by its address in the cell register; rejects if the cell no longer exists. */
  selectCell(address: string): Promise<void>;
  /** Copies text to the clipboard; rejects where that isn't allowed. */
  copyText(text: string): Promise<void>;
  /** Gives the keyboard back to the grid; null where the host does that itself. */
  readonly focusGrid: (() => void) | null;
}
