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

/** What the ribbon, the menus and the keyboard left for the pane. */
export interface CommandState {
  /** Why the last command failed; null when it did not. */
  readonly failure: Source<string | null>;
  /** What a command wants to be seen; another object each time, so that the same is seen again. */
  readonly wanted: Source<WantedView | null>;
  /** Brings the list of old values into view. */
  showOldValues(): void;
  /** Brings the help into view, of the function in the selected cell where there is one. */
  showHelp(): void;
  dismiss(): void;
}

/** What comes from a sign-in window. */
export type WindowWord =
  | { readonly kind: "code"; readonly code: string }
  /** The browser or Excel didn't open it. */
  | { readonly kind: "refused" }
  /** By the person; only from hosts that report it. */
  | { readonly kind: "closed" };

export interface SignInPopup {
  close(): void;
}

/** A sign-in that can be opened at once, as browsers want it of a click. */
export interface ReadySignIn {
  /** Its address, where no window could be opened. */
  readonly link: string;
  open(tell: (word: WindowWord) => void): SignInPopup;
  /** The code as it came or was typed: signs in and connects. Rejects with an InvError, `signed-out` where it is wrong. */
  take(code: string, remember: boolean): Promise<void>;
}

export interface SignInDesk {
  /** Rejects with an InvError where this page cannot. */
  ready(environment: Environment): Promise<ReadySignIn>;
  /** Signs out here even where it rejects, because the server can't be reached. */
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
  readonly signIn: SignInDesk;
  /** Of the environment in use. */
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
  /** Selects the cell of an address as the cell register spells it; rejects when it is not there any more. */
  selectCell(address: string): Promise<void>;
  /** Puts text on the clipboard; rejects where that is not allowed. */
  copyText(text: string): Promise<void>;
  /** Gives the keyboard back to the grid; null where the host does that itself. */
  readonly focusGrid: (() => void) | null;
}
