/**
 * Everything that the pane may see and do, provided by Excel, the browser workbook or a test. The pane constructs none of it.
 * It keeps a secret only in the field where the secret is typed.
 */
import type { CellRegister } from "../cells/cell-register";
import type { AutoRefreshChoice } from "../connection/auto-refresh-choice";
import type { SettingsService } from "../connection/device-settings";
import type { PublishedTemplates } from "../connection/published-templates";
import type { PaneConnection } from "../connection/types";
import type { Environment } from "../domain/environment";
import type { Observable } from "../domain/notices";
import type { Clock } from "../engine/clock";
import type { Engine } from "../engine/types";
import type { Theme } from "../workbook/browser-host";
import type { FunctionPreview } from "../domain/functions";
import type { OpenOne, OpenWorkbook } from "../workbook/open-workbook";
import type { StockAge } from "../workbook/refresh/stock-age";

export interface HostFacts {
  readonly kind: "excel" | "browser-workbook" | "page";
  readonly description: string;
  /** What INV needs and this Excel lacks, in words; empty if nothing is missing. */
  readonly lacks: readonly string[];
  /** Whether the workbook counts days from 1904, as old Excel for Mac did. */
  readonly countsFrom1904: Observable<boolean>;
}

export type TabId = "refresh" | "cell" | "templates" | "settings";
/** A fold of a tab that something else in the pane opens. */
export type PartId = "problems" | "old-values" | "check";

/** A tab, optionally with a fold of it to open. */
export interface RequestedView {
  readonly tab: TabId;
  readonly part?: PartId;
}

export interface CommandState {
  /** Why the last command failed; null if it succeeded. */
  readonly failure: Observable<string | null>;
  /** What a command wants to show. Each is a new object, so that the same view can be shown again. */
  readonly requestedView: Observable<RequestedView | null>;
  showOldValues(): void;
  /** Opens the help's page: that of the function in the selected cell, or of all functions. */
  showHelp(): void;
  dismiss(): void;
}

export type SignInEvent =
  | { readonly kind: "code"; readonly code: string }
  /** The browser or Excel didn't open the window. */
  | { readonly kind: "refused" }
  /** The person closed the window. Not every host reports this. */
  | { readonly kind: "closed" };

export interface SignInPopup {
  close(): void;
}

/** A sign-in that can open its window at once, because browsers open windows only at a click. */
export interface PreparedSignIn {
  /** The address of the window, for browsers that didn't open it. */
  link(): string;
  open(onEvent: (event: SignInEvent) => void): SignInPopup;
  /**
   * Signs in with the code and connects, unless the signal was aborted meanwhile. Rejects with an InvError; `signed-out` if the
   * code is wrong.
   */
  signIn(code: string, options: { readonly remember: boolean; readonly signal: AbortSignal }): Promise<void>;
}

export interface SignInService {
  /** Rejects with an InvError if this page can't sign in. */
  prepare(environment: Environment): Promise<PreparedSignIn>;
  /** Signs out on this device. If the server can't be reached, it signs out too, and then rejects. */
  signOut(environment: Environment): Promise<void>;
}

export interface PaneServices {
  readonly commands: CommandState;
  /** Reads a JSON file from the add-in's own folder on the server. Rejects with an InvError. */
  readJson(path: string): Promise<unknown>;
  readonly functionPreview: FunctionPreview;
  readonly engine: Engine;
  readonly cells: CellRegister;
  readonly clock: Clock;
  readonly connection: PaneConnection;
  readonly signIn: SignInService;
  published(): Promise<PublishedTemplates>;
  readonly settings: SettingsService;
  readonly autoRefresh: AutoRefreshChoice;
  /** The age of the stock shown, and whether it will be refreshed. */
  readonly age: Observable<StockAge>;
  readonly workbook: Observable<OpenWorkbook>;
  readonly theme: Observable<Theme>;
  readonly host: HostFacts;
  readonly version: string;
  /** Connects to the demo environment and fills a sample sheet. Rejects with an InvError. */
  tryDemo(): Promise<void>;
  /** Selects a cell by its address in the cell register; rejects if the cell no longer exists. */
  selectCell(address: string): Promise<void>;
  /** Copies the current sheet, or all sheets with INV formulas, with their values. Resolves with the names of the copies. */
  copyWithValues(open: OpenOne, scope: "sheet" | "all"): Promise<readonly string[]>;
  /** Copies text to the clipboard. Where that isn't allowed, rejects with an InvError that asks the person to copy it. */
  copyText(text: string): Promise<void>;
  /** Moves the focus back to the grid; null if the host does that itself. */
  readonly focusGrid: (() => void) | null;
}
