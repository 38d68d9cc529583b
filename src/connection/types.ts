/**
 * The connection as the pane sees it: what is in use, what may be chosen, and the verbs that change it.
 * Nothing here holds a secret but a choice on its way in.
 */
import type { Credentials, Environment, EnvironmentEntry } from "../domain/environment";
import type { InvError } from "../domain/errors";
import type { Source } from "../domain/notices";

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
  /** Credentials or a session are in use. */
  readonly hasCredentials: boolean;
  /** Whose credentials are in use; null while there are none, and where a session stands in their place. */
  readonly consumerId: string | null;
  /** Who is signed in to the environment in use, by name; null where nobody is. */
  readonly person: string | null;
  /** Name of the demo account in use. */
  readonly account: string | null;
  /** Ids of the environments whose credentials this session holds, typed or remembered. */
  readonly held: readonly string[];
  /** Ids of those that are stored on this device, and open for their environment. */
  readonly remembered: readonly string[];
  /** Ids of stored credentials whose environment is gone or leads elsewhere now: they can only be forgotten. */
  readonly orphaned: readonly string[];
  /** False where the browser gives no storage for it. */
  readonly canRemember: boolean;
  /**
   * This workbook asks for the environment in use, this device has credentials for it, and the person has not
   * allowed this workbook to use them: `connect` allows it.
   */
  readonly awaitsConsent: boolean;
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
  /** As typed, or from a sign-in; left out to use those the session holds. */
  readonly credentials?: Credentials;
  readonly remember?: boolean;
}

export interface ConnectOptions {
  /** Whether it is to be tested first, and taken only when it works. */
  readonly tested: boolean;
  /** Aborted by whoever gives the attempt up before it has taken effect. */
  readonly signal?: AbortSignal;
}

export interface ConnectionService extends Source<ConnectionState> {
  /**
   * Requests a token and sends one call, a probe, changing nothing. Rejects with the InvError that says what is
   * wrong, `cancelled` when it was given up.
   */
  test(choice: ConnectionChoice, signal?: AbortSignal): Promise<void>;
  /**
   * Starts clean with this choice, stores the environment in the workbook and marks all INV cells dirty.
   * A newer call gives up an older one that has not taken effect: that one rejects with `cancelled`.
   */
  connect(choice: ConnectionChoice, options: ConnectOptions): Promise<void>;
  /** Drops the credentials of an environment from this session and from the device. */
  forget(environmentId: string): Promise<void>;
  /** Reads the list of environments again. */
  reload(): Promise<void>;
  /** Lifts faults and marks all INV cells dirty; fresh values cost no call. */
  recalculate(): Promise<void>;
}
