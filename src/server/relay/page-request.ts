/**
 * A page's call, and the environment that it may reach. The page chooses neither the host nor the path nor
 * the outgoing headers.
 */
import type { ServerCredentials } from "./server-credentials";
import type { Send } from "./outgoing";

export interface RelayTarget extends Addresses<URL> {
  readonly id: string;
  /** Whether the access token is sent after the word `Bearer`, or without it. */
  readonly authorization: "bearer" | "bare";
  /** Set if the server has the credentials. Otherwise, each page sends its own. */
  readonly serverCredentials?: ServerCredentials;
  readonly send: Send;
  /** Called with the status of each token response, or with 502 or 504 if the service didn't answer. */
  readonly tokenAsked: (status: number) => void;
}

export interface Addresses<T> {
  readonly tokenUrl: T;
  readonly searchUrl: T;
  readonly eventsUrl: T;
}

export function parseAddresses({ tokenUrl, searchUrl, eventsUrl }: Addresses<string>): Addresses<URL> {
  return { tokenUrl: new URL(tokenUrl), searchUrl: new URL(searchUrl), eventsUrl: new URL(eventsUrl) };
}

export interface PageRequest {
  readonly target: RelayTarget;
  /** The caller's IP address, or its network (see `networkOf`). */
  address(): string;
  /** Returns the header with this lowercase name, or undefined if the header is missing or repeated. */
  header(name: string): string | undefined;
  /** Includes the question mark. Empty without a query. */
  readonly query: string;
  readonly body: Buffer;
  /** Aborted when the page closes the request. */
  readonly signal: AbortSignal;
}

export function bearerOf(request: PageRequest): string | null {
  return /^Bearer (\S+)$/i.exec(request.header("authorization") ?? "")?.[1] ?? null;
}

export function readForm(request: PageRequest): URLSearchParams | null {
  const type = request.header("content-type") ?? "";
  const isForm = /^application\/x-www-form-urlencoded(; ?charset=utf-8)?$/i.test(type);
  return isForm ? new URLSearchParams(request.body.toString()) : null;
}
