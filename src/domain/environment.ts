/**
 * An environment is where values come from: its three addresses, its quota, and whose credentials
 * open it. `environments.json` beside the add-in lists them (its shape is checked in `connection`).
 * Its kind and whether it is embedded, never its label, say whether the numbers are real.
 */

/** `demo`: made-up stock; `file`: a supplier's own exports, as old as they are. */
export type EnvironmentKind = "demo" | "file" | "sandbox" | "production";

type Origin = Pick<Environment, "kind" | "embedded">;

/** Whether INV's own embedded service answers: its calls spend nobody's quota, and it lists what there is. */
export function isEmbedded({ kind, embedded }: Origin): boolean {
  return kind === "demo" || kind === "file" || embedded === true;
}

/** Whether its stock is made up: such an environment is never chosen for a workbook that did not ask for it. */
export function isSample(environment: Origin): boolean {
  return isEmbedded(environment) && environment.kind !== "file";
}

/** Where the embedded service lists what there is to ask for, beside the add-in. */
export function demoDataPath({ id, embedded }: Pick<Environment, "id" | "embedded">): string {
  return embedded === true ? `${id}/demo-data` : "demo-data";
}

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
  /** With `server`: where people sign in, by name, and the address that begins it. */
  readonly signIn?: { readonly at: string; readonly url: string };
  /** A digest of the addresses that the server's relay leads to, so that a change of them shows. */
  readonly upstream?: string;
  /** Where the service's clock stands for a trial, in milliseconds since 1970 UTC; left out where it runs. */
  readonly clockMs?: number;
  /** The embedded service plays this sandbox or production with sample stock. */
  readonly embedded?: true;
  /** Only with `embedded`: public credentials that open it. */
  readonly testCredentials?: SupplierCredentials;
  /** Only for `demo`: the embedded service's accounts, which are public. The first is the default. */
  readonly accounts?: readonly DemoAccount[];
}

/** The moment by which the environment's service tells which dates it keeps; milliseconds since 1970, UTC. */
export function serviceNowMs(environment: Environment | null, nowMs: number): number {
  return environment?.clockMs ?? nowMs;
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

/** What opens an environment: what its service issued or, where the team's server holds that, a session there. */
export type Credentials = SupplierCredentials | SessionCredentials;

/** What the service issues to a supplier. The secret is never written, logged or shown. */
export interface SupplierCredentials {
  /** Also called client ID. */
  readonly consumerId: string;
  readonly clientSecret: string;
}

/** What signing in gives. The session is never written, logged or shown. */
export interface SessionCredentials {
  readonly session: string;
  /** Who signed in, as they are called. */
  readonly person: string;
  /** It ends then at the latest; milliseconds since 1970 UTC. */
  readonly endsAtMs: number;
}

export function isSession(credentials: Credentials): credentials is SessionCredentials {
  return "session" in credentials;
}

/** What of them nobody may see. */
export function secretOf(credentials: Credentials): string {
  return isSession(credentials) ? credentials.session : credentials.clientSecret;
}

/** Null for a session: the server knows as whom it asks. */
export function consumerIdOf(credentials: Credentials): string | null {
  return isSession(credentials) ? null : credentials.consumerId;
}

export interface DemoAccount extends SupplierCredentials {
  readonly name: string;
  readonly supplierName: string;
}
