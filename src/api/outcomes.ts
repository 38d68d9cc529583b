/**
 * What a response means to the engine. Readers turn every response, however broken, into one of these outcomes and never
 * throw. The engine decides what to do next.
 */
import type { InvError } from "../domain/errors";
import type { HistoryEvent, ItemRecord } from "../domain/records";

export interface TokenGrant {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

/** Failures that all operations share. */
export type Failure =
  /** Gateway-shaped 401: the token is missing, expired, invalid or another consumer's. */
  | { readonly kind: "token-refused"; readonly error: InvError }
  /** The team's server doesn't know its own token. The service hasn't seen the call. */
  | { readonly kind: "token-unknown"; readonly error: InvError }
  /** 403 or problem-shaped 401: this consumer may not use this operation. */
  | { readonly kind: "operation-refused"; readonly error: InvError }
  /** 429. */
  | {
      readonly kind: "throttled";
      readonly error: InvError;
      readonly retryAfterMs: number | null;
      /** Why the team's server rejected the call, which the service hasn't seen; null if the 429 is the service's. */
      readonly rejection: "quota" | "redis" | null;
    }
  /** 5xx and 408: a retry may succeed. */
  | { readonly kind: "unavailable"; readonly error: InvError }
  /** A retry can't help: HTML, another shape, 404 of an unknown path, 405, 413. */
  | { readonly kind: "unreadable"; readonly error: InvError };

const failures: ReadonlySet<string> = new Set<Failure["kind"]>([
  "token-refused",
  "token-unknown",
  "operation-refused",
  "throttled",
  "unavailable",
  "unreadable",
]);

export function isFailure(outcome: { readonly kind: string }): outcome is Failure {
  return failures.has(outcome.kind);
}

/** Failures that concern neither the token nor the consumer. */
export type PlainFailure = Exclude<
  Failure,
  { kind: "token-refused" | "token-unknown" | "operation-refused" }
>;

export type TokenOutcome =
  | { readonly kind: "granted"; readonly grant: TokenGrant }
  /** The credentials were refused (400, 401 or 403 of the token endpoint). */
  | { readonly kind: "credentials-refused"; readonly error: InvError }
  | PlainFailure;

/** The outcome of one requested item: its record, the service's "no such value" (cacheable), or why it can't be read. */
export type ItemOutcome =
  | { readonly kind: "record"; readonly record: ItemRecord }
  | { readonly kind: "none"; readonly error: InvError }
  | { readonly kind: "unreadable"; readonly error: InvError };

export type SearchOutcome =
  /** One entry per requested value, in the order of the request, whatever the response's order or length. */
  | {
      readonly kind: "items";
      readonly items: readonly ItemOutcome[];
      /** How long ago each was fetched; empty if all were fetched now. */
      readonly agesMs: readonly number[];
    }
  /** A 400 that names values: the index in the request, and the reason. */
  | { readonly kind: "offenders"; readonly offenders: ReadonlyMap<number, InvError> }
  /** A 400 that names another property: the service refuses the whole group. */
  | { readonly kind: "request-refused"; readonly error: InvError }
  /** A 400 that names nothing: the engine has to find the refused item. */
  | { readonly kind: "unexplained"; readonly error: InvError }
  /** The documented 404 "No data found", which applies to every item of the request. */
  | { readonly kind: "no-data"; readonly error: InvError }
  | Failure;

export type EventsOutcome =
  | {
      readonly kind: "page";
      readonly events: readonly HistoryEvent[];
      readonly nextPageToken: string | null;
    }
  /** The documented "no data" and "not mapped". */
  | { readonly kind: "none"; readonly error: InvError }
  /** A 400: the service refused a parameter. */
  | { readonly kind: "request-refused"; readonly error: InvError }
  | Failure;
