/** A page's call, and where it may lead. The page chooses neither host nor path nor headers of what leaves. */
import type { CancelSignal } from "../shared-quota/cancel-signal";
import type { HeldCredentials } from "./held-credentials";
import type { Send } from "./outgoing";

export interface RelayTarget extends Addresses<URL> {
  readonly id: string;
  /** How the access token is sent: after the word `Bearer`, or alone. */
  readonly authorization: "bearer" | "bare";
  /** Set if the server has the credentials; otherwise each page brings its own. */
  readonly held?: HeldCredentials;
  /** Sends to this environment: over HTTP, or into the embedded service. */
  readonly send: Send;
  /** Called with the status of each token response; 502 or 504 if the service didn't answer. */
  readonly tokenAsked: (status: number) => void;
}

export interface Addresses<T> {
  readonly tokenUrl: T;
  readonly searchUrl: T;
  readonly eventsUrl: T;
}

export function readAddresses({ tokenUrl, searchUrl, eventsUrl }: Addresses<string>): Addresses<URL> {
  return { tokenUrl: new URL(tokenUrl), searchUrl: new URL(searchUrl), eventsUrl: new URL(eventsUrl) };
}

export interface PageRequest {
  readonly target: RelayTarget;
  /** The caller's address, or its network (`networkOf`). */
  address(): string;
  /** `name` is in lower case. Undefined if the header is missing, or comes more than once. */
  header(name: string): string | undefined;
  /** With its question mark; "" without a query. */
  readonly query: string;
  readonly body: Buffer;
  /** Aborted when the page has left. */
  readonly signal: CancelSignal;
}

/** The call's token, or null. */
export function bearerOf(request: PageRequest): string | null {
  return /^Bearer (\S+)$/i.exec(request.header("authorization") ?? "")?.[1] ?? null;
}

/** The call's form, or null. */
export function readForm(request: PageRequest): URLSearchParams | null {
  const type = request.header("content-type") ?? "";
  const isForm = /^application\/x-www-form-urlencoded(; ?charset=utf-8)?$/i.test(type);
  return isForm ? new URLSearchParams(request.body.toString()) : null;
}
