/**
 * A page's call as the relay's operations see it, whatever brought it here, and where it may lead. The caller
 * chooses none of host, path and headers of what leaves.
 */
import type { CancelSignal } from "../shared-quota/cancel-signal";
import type { HeldCredentials } from "./held-credentials";
import type { Send } from "./outgoing";

export interface RelayTarget extends Addresses<URL> {
  readonly id: string;
  /** How the access token is sent: behind the word `Bearer`, or alone. */
  readonly authorization: "bearer" | "bare";
  /** Where the server holds its credentials; left out where each page brings its own. */
  readonly held?: HeldCredentials;
  /** Sends to this environment: over HTTP, or into the embedded service. */
  readonly send: Send;
  /** Told of each answer of the token service, or of the relay's own where there was none. */
  readonly tokenAsked: (status: number) => void;
}

/** Of the three operations. */
export interface Addresses<T> {
  readonly tokenUrl: T;
  readonly searchUrl: T;
  readonly eventsUrl: T;
}

/** Once for all calls. */
export function readAddresses({ tokenUrl, searchUrl, eventsUrl }: Addresses<string>): Addresses<URL> {
  return { tokenUrl: new URL(tokenUrl), searchUrl: new URL(searchUrl), eventsUrl: new URL(eventsUrl) };
}

export interface PageRequest {
  readonly target: RelayTarget;
  /** Where it comes from: an address, or the network of one (`networkOf`). */
  address(): string;
  /** Asked for in lower case; undefined where it is not there, or more than once. */
  header(name: string): string | undefined;
  /** From its question mark on; "" where there is none. */
  readonly query: string;
  /** Empty where there is none. */
  readonly body: Buffer;
  /** Aborted when the page no longer waits. */
  readonly signal: CancelSignal;
}

/** The token that the call brings along, or null. */
export function bearerOf(request: PageRequest): string | null {
  return /^Bearer (\S+)$/i.exec(request.header("authorization") ?? "")?.[1] ?? null;
}

/** The form that the call holds; null where it is none. */
export function readForm(request: PageRequest): URLSearchParams | null {
  const type = request.header("content-type") ?? "";
  const isForm = /^application\/x-www-form-urlencoded(; ?charset=utf-8)?$/i.test(type);
  return isForm ? new URLSearchParams(request.body.toString()) : null;
}
