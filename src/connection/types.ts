/**
 * The connection as the pane sees it: the current environment, the environments to choose from, and the
 * methods that change them. Security: nothing here contains a secret, except a choice that the pane passes
 * in.
 */
import type { Credentials, Environment, EnvironmentEntry } from "../domain/environment";
import type { InvError } from "../domain/errors";
import type { Observable } from "../domain/notices";

export interface ConnectionState {
  /** True after the list of environments, the workbook's choice and stored credentials have been read. */
  readonly ready: boolean;
  readonly environments: readonly EnvironmentEntry[];
  readonly listError: InvError | null;
  readonly environment: Environment | null;
  /** The ID stored in the workbook, if no usable environment in the list has it. */
  readonly missingId: string | null;
  readonly hasCredentials: boolean;
  /** Consumer ID of the credentials in use. Null with a session. */
  readonly consumerId: string | null;
  /** Name of the person who is signed in to the current environment. */
  readonly person: string | null;
  readonly account: string | null;
  /** IDs of the environments whose credentials are in memory. */
  readonly inMemory: readonly string[];
  /** IDs of the environments whose credentials are stored on this device. */
  readonly remembered: readonly string[];
  /**
   * IDs of stored credentials whose environment was removed or has other addresses now. A person can only
   * forget them.
   */
  readonly orphaned: readonly string[];
  readonly canRemember: boolean;
  /**
   * True if this device has credentials for the workbook's environment, and the person hasn't yet allowed
   * this workbook to use them. `connect` allows it.
   */
  readonly awaitsConsent: boolean;
  /** Number of INV cells that still show values of an earlier environment or other credentials. */
  readonly earlierCells: number;
  /** A failure that doesn't affect the connection, such as marking cells or storing the choice. */
  readonly notice: string | null;
}

export interface ConnectionChoice {
  readonly environmentId: string;
  /** Name of the account, only in the demo. */
  readonly account?: string;
  /** Typed credentials, or those from a sign-in. Omit them to use those in memory. */
  readonly credentials?: Credentials;
  readonly remember?: boolean;
}

interface ConnectOptions {
  /** Whether to test the choice first, and to use it only if the test succeeds. */
  readonly tested: boolean;
  readonly signal?: AbortSignal;
}

export interface PaneConnection extends Observable<ConnectionState> {
  /**
   * Uses this choice, stores the environment in the workbook and marks all INV cells dirty. A test before
   * requests a token and sends one request; if it fails, nothing changes. Cancels an earlier call that hasn't
   * taken effect. Rejects with an InvError, which is `cancelled` after a cancellation.
   */
  connect(choice: ConnectionChoice, options: ConnectOptions): Promise<void>;
  forget(environmentId: string): Promise<void>;
  reload(): Promise<void>;
  /** Clears faults and marks all INV cells dirty. Fresh values use no request. */
  recalculate(): Promise<void>;
}
