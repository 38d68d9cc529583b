/**
 * The connection as the pane sees it: the environment in use, those to choose from, and the methods that change it. Nothing here
 * contains a secret except a choice on its way in.
 */
import type { Credentials, Environment, EnvironmentEntry } from "../domain/environment";
import type { InvError } from "../domain/errors";
import type { Source } from "../domain/notices";

export interface ConnectionState {
  /** True once the list of environments, the workbook's choice and stored credentials have been read. */
  readonly ready: boolean;
  readonly environments: readonly EnvironmentEntry[];
  /** Why the list couldn't be read. */
  readonly listError: InvError | null;
  /** The environment this workbook uses; null while none is chosen. */
  readonly environment: Environment | null;
  /** The id stored in the workbook, where the list has no usable environment of that id. */
  readonly missingId: string | null;
  /** Credentials or a session are in use. */
  readonly hasCredentials: boolean;
  /** Consumer ID of the credentials in use; null with a session. */
  readonly consumerId: string | null;
  /** Name of the person who is signed in to the environment in use. */
  readonly person: string | null;
  /** Name of the demo account in use. */
  readonly account: string | null;
  /** Ids of the environments whose credentials are in memory, typed or remembered. */
  readonly held: readonly string[];
  /** Ids of the environments whose credentials are stored on this device. */
  readonly remembered: readonly string[];
  /** Ids of stored credentials whose environment was removed or has other addresses now: they can only be forgotten. */
  readonly orphaned: readonly string[];
  /** False where the browser has no storage for it. */
  readonly canRemember: boolean;
  /**
   * This device has credentials for the workbook's environment, and the person hasn't yet allowed this workbook to use them.
   * `connect` allows it.
   */
  readonly awaitsConsent: boolean;
  /** INV cells that still show values of an earlier environment or other credentials. */
  readonly earlierCells: number;
  /** What failed although the connection works: marking cells, or storing the choice. */
  readonly notice: string | null;
}

export interface ConnectionChoice {
  readonly environmentId: string;
  /** Demo only: the account's name. */
  readonly account?: string;
  /** Typed, or from a sign-in; omitted to use those in memory. */
  readonly credentials?: Credentials;
  readonly remember?: boolean;
}

export interface ConnectOptions {
  /** Whether to test the choice first, and to use it only if it works. */
  readonly tested: boolean;
  /** Cancels the attempt, if it hasn't taken effect yet. */
  readonly signal?: AbortSignal;
}

export interface ConnectionService extends Source<ConnectionState> {
  /**
   * Requests a token and sends one request, and changes nothing. Rejects with an InvError; `cancelled` if it was cancelled.
   */
  test(choice: ConnectionChoice, signal?: AbortSignal): Promise<void>;
  /**
   * Uses this choice, stores the environment in the workbook and marks all INV cells dirty. Cancels an earlier call that
   * hasn't taken effect.
   */
  connect(choice: ConnectionChoice, options: ConnectOptions): Promise<void>;
  /** Deletes the credentials of an environment from this session and from the device. */
  forget(environmentId: string): Promise<void>;
  /** Reads the list of environments again. */
  reload(): Promise<void>;
  /** Clears faults and marks all INV cells dirty; fresh values use no request. */
  recalculate(): Promise<void>;
}
