/**
 * An environment is where values come from: its three addresses, its quota, and whose credentials
 * open it. `environments.json` beside the add-in lists them (its shape is checked in `addin`).
 * Its kind, never its label, says whether the numbers are real.
 */

export type EnvironmentKind = "demo" | "sandbox" | "production";

/** The two data operations; each has its own quota and its own faults. */
export type Operation = "search" | "events";

export interface Environment {
  readonly id: string;
  readonly label: string;
  readonly kind: EnvironmentKind;
  readonly tokenUrl: string;
  readonly searchUrl: string;
  readonly eventsUrl: string;
  /** Calls allowed in any 60 seconds, for the whole company, by operation. */
  readonly quota: Readonly<Record<Operation, number>>;
  /** `server`: the team's server keeps the company's quota and shares answers, so a page paces nothing itself. */
  readonly pacedBy?: "server";
  /** `user`: typed in the pane. `server`: held by the team's server. */
  readonly credentials: "user" | "server";
  /** A digest of the addresses that the server's relay leads to, so that a change of them shows. */
  readonly upstream?: string;
  /** Only for `demo`: the embedded service's accounts, which are public. The first is the default. */
  readonly accounts?: readonly DemoAccount[];
}

/** An environment the administrator has not set up: shown, with what to ask for, and not usable. */
export interface UnconfiguredEnvironment {
  readonly id: string;
  readonly label: string;
  readonly kind: EnvironmentKind;
  readonly configured: false;
  /** A sentence that says what to ask the administrator. */
  readonly missing: string;
}

/** What a list of environments holds. */
export type EnvironmentEntry = Environment | UnconfiguredEnvironment;

/** Whether the administrator has set it up. */
export function isConfigured(entry: EnvironmentEntry): entry is Environment {
  return !("configured" in entry);
}

/** What the service issues to a supplier. The secret is never written, logged or shown. */
export interface Credentials {
  /** Also called client ID. */
  readonly consumerId: string;
  readonly clientSecret: string;
}

export interface DemoAccount extends Credentials {
  readonly name: string;
  readonly supplierName: string;
}
