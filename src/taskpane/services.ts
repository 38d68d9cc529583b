/**
 * Everything the pane may see and do, as one typed parameter: what Excel, the browser workbook or a
 * test hands to it. State is read from sources and changed by verbs; the pane constructs nothing and
 * holds no secret longer than the field it is typed into.
 */
import type { Credentials, Environment, EnvironmentEntry } from "../domain/environment";
import type { InvError } from "../domain/errors";
import type { Activity } from "../cells/activity";
import type { CellRegister } from "../cells/cell-register";
import type { Clock } from "../engine/clock";
import type { Engine } from "../engine/types";
import type { Workbook } from "../workbook/port";
import type { Refresher } from "../workbook/refresh/refresh";

/** A value that changes: read it now, and be told when to read it again. */
export interface Source<T> {
  get(): T;
  /** Returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

export interface ConnectionState {
  /** False until the list of environments, the workbook's choice and stored credentials are read. */
  readonly ready: boolean;
  readonly environments: readonly EnvironmentEntry[];
  /** Why the list could not be read. */
  readonly listError: InvError | null;
  /** The environment this workbook uses; null while none is chosen. */
  readonly environment: Environment | null;
  /** The id stored in the workbook, where the list has no usable environment of that id. */
  readonly missingId: string | null;
  /** Whose credentials are in use; null while there are none. */
  readonly consumerId: string | null;
  /** Name of the demo account in use. */
  readonly account: string | null;
  /** Ids of the environments whose credentials this session holds, typed or remembered. */
  readonly held: readonly string[];
  /** Ids of those that are stored on this device. */
  readonly remembered: readonly string[];
  /** False where the browser gives no storage for it. */
  readonly canRemember: boolean;
  /** INV cells that still show values of an earlier environment or other credentials. */
  readonly earlierCells: number;
  /** What went wrong beside the connection itself (marking cells, storing the choice), in words. */
  readonly notice: string | null;
}

/** What to test or to use. */
export interface ConnectionChoice {
  readonly environmentId: string;
  /** Demo only: the account's name. */
  readonly account?: string;
  /** As typed; left out to use those the session holds. */
  readonly credentials?: Credentials;
  readonly remember?: boolean;
}

export interface ConnectionService extends Source<ConnectionState> {
  /** Gets a token and makes one harmless call, changing nothing. Rejects with the InvError that says what is wrong. */
  test(choice: ConnectionChoice): Promise<void>;
  /** Starts clean with this choice, stores the environment in the workbook and marks all INV cells dirty. */
  use(choice: ConnectionChoice): Promise<void>;
  /** Drops the credentials of an environment from this session and from the device. */
  forget(environmentId: string): Promise<void>;
  /** Reads the list of environments again. */
  reload(): Promise<void>;
  /** Lifts faults and marks all INV cells dirty; fresh values cost no call. */
  recalculate(): Promise<void>;
}

export interface PaneSettings {
  readonly freshnessMinutes: number;
  readonly whenUnanswered: "last-known" | "error";
  /** 0: off. */
  readonly autoRefreshMinutes: number;
}

export interface SettingsService extends Source<PaneSettings> {
  /** Takes effect at once and is kept on this device. */
  change(settings: Partial<PaneSettings>): void;
}

/** The open workbook; `none` in a plain browser page, where there is nothing to refresh. */
export type OpenWorkbook =
  | { readonly kind: "starting" }
  | { readonly kind: "none" }
  | { readonly kind: "failed"; readonly error: InvError }
  | { readonly kind: "open"; readonly workbook: Workbook; readonly refresher: Refresher };

export interface HostFacts {
  readonly kind: "excel" | "browser-workbook" | "page";
  /** For support: application, platform and version in one line. */
  readonly description: string;
  /** What INV needs and this Excel lacks, in words; empty when all is well. */
  readonly lacks: readonly string[];
}

export type Theme = "light" | "dark";

export interface PaneServices {
  readonly engine: Engine;
  readonly cells: CellRegister;
  readonly activity: Activity;
  readonly clock: Clock;
  readonly connection: ConnectionService;
  readonly settings: SettingsService;
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
