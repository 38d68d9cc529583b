/**
 * An environment is where values come from: three addresses, a quota, and whose credentials it needs. `environments.json` lists
 * them (`connection` checks its shape). Whether the numbers are real depends on its kind and on `embedded`, never on its label.
 */

/** `demo`: made-up stock. `file`: a supplier's own figures. */
export type EnvironmentKind = "demo" | "file" | "sandbox" | "production";

type Origin = Pick<Environment, "kind" | "embedded">;

/** Whether INV's embedded service answers. It uses no quota of the company and lists its stores and items. */
export function isEmbedded({ kind, embedded }: Origin): boolean {
  return kind === "demo" || kind === "file" || embedded === true;
}

/** Whether its stock is made up. INV never chooses such an environment for a workbook that doesn't name it. */
export function isSample(environment: Origin): boolean {
  return isEmbedded(environment) && environment.kind !== "file";
}

/** Returns the address of the embedded service's list of stores and items, relative to the add-in. */
export function demoDataPath({ id, embedded }: Pick<Environment, "id" | "embedded">): string {
  return embedded === true ? `${id}/demo-data` : "demo-data";
}

/** Each data operation has its own quota and its own faults. */
export type Operation = "search" | "events";

export interface Environment {
  readonly id: string;
  readonly label: string;
  readonly kind: EnvironmentKind;
  readonly tokenUrl: string;
  readonly searchUrl: string;
  readonly eventsUrl: string;
  /** Requests allowed in any 60 seconds, for the whole company. */
  readonly quota: Readonly<Record<Operation, number>>;
  /** With `server`, the team's server keeps the company's quota and shares answers, so that pages don't pace requests. */
  readonly pacedBy?: "server";
  /** `user`: the person types them in the pane. `server`: only the team's server has them. */
  readonly credentials: "user" | "server";
  /** Only with `server`: the provider's name, and the address that starts the sign-in. */
  readonly signIn?: { readonly at: string; readonly url: string };
  /** The embedded service imitates a sandbox or production with sample stock. */
  readonly embedded?: true;
  /** Only with `embedded`: public credentials. */
  readonly testCredentials?: SupplierCredentials;
  /** Only for `demo` and `file`: public accounts. The first is the default. */
  readonly accounts?: readonly DemoAccount[];
}

/** An environment that the administrator hasn't set up. The pane lists it, but nobody can choose it. */
export interface UnconfiguredEnvironment {
  readonly id: string;
  readonly label: string;
  readonly kind: EnvironmentKind;
  readonly configured: false;
  /** A sentence that says what to ask the administrator for. */
  readonly missing: string;
}

export type EnvironmentEntry = Environment | UnconfiguredEnvironment;

export function isConfigured(entry: EnvironmentEntry): entry is Environment {
  return !("configured" in entry);
}

/** What the service issued to the supplier or, if only the team's server has that, a session of the server. */
export type Credentials = SupplierCredentials | SessionCredentials;

/** The secret is never stored unencrypted, logged or shown. */
export interface SupplierCredentials {
  /** Also called client ID. */
  readonly consumerId: string;
  readonly clientSecret: string;
}

/** The result of a sign-in. The session is never stored, logged or shown. */
export interface SessionCredentials {
  readonly session: string;
  /** The name of the person who signed in. */
  readonly person: string;
  /** The latest end of the session, in milliseconds since 1970 UTC. */
  readonly endsAtMs: number;
}

export function isSession(credentials: Credentials): credentials is SessionCredentials {
  return "session" in credentials;
}

export function secretOf(credentials: Credentials): string {
  return isSession(credentials) ? credentials.session : credentials.clientSecret;
}

/** Null for a session: the server has the consumer ID. */
export function consumerIdOf(credentials: Credentials): string | null {
  return isSession(credentials) ? null : credentials.consumerId;
}

interface DemoAccount extends SupplierCredentials {
  readonly name: string;
  readonly supplierName: string;
}
