/**
 * What an answer of the service means, as the engine needs to know it. Readers turn every response,
 * however broken, into one of these and never throw; deciding what to do next is the engine's.
 */
import type { InvError } from "../domain/errors";
import type { HistoryEvent, ItemRecord } from "../domain/records";

export interface TokenGrant {
  readonly accessToken: string;
  /** As the answer says, else null: then the documented 900 seconds hold. */
  readonly expiresInSeconds: number | null;
}

/** Refusals and failures that all operations share. */
export type Failure =
  /** Gateway-shaped 401: the token is missing, expired, invalid or another consumer's. */
  | { readonly kind: "token-refused"; readonly error: InvError }
  /** The team's server does not know the token it gave; the service has not seen the call. */
  | { readonly kind: "token-unknown"; readonly error: InvError }
  /** 403 or problem-shaped 401: this operation is closed to this consumer. */
  | { readonly kind: "operation-refused"; readonly error: InvError }
  /** 429. */
  | {
      readonly kind: "throttled";
      readonly error: InvError;
      readonly retryAfterMs: number | null;
      /** Why, where it was the team's server that keeps the company's quota; the service has not seen the call. */
      readonly rejection: "quota" | "memory" | null;
    }
  /** 5xx (and 408): may pass when tried again. */
  | { readonly kind: "unavailable"; readonly error: InvError }
  /** Anything that cannot become right by asking again: HTML, another shape, 404 of an unknown path, 405, 413. */
  | { readonly kind: "unreadable"; readonly error: InvError };

/** Failures that say nothing about token or consumer. */
export type PlainFailure = Exclude<
  Failure,
  { kind: "token-refused" | "token-unknown" | "operation-refused" }
>;

export type TokenOutcome =
  | { readonly kind: "granted"; readonly grant: TokenGrant }
  /** The credentials were refused (400, 401 or 403 of the token endpoint). */
  | { readonly kind: "credentials-refused"; readonly error: InvError }
  | PlainFailure;

/** The fate of one requested item: its record, the service's "no" (cacheable), or why its part cannot be read. */
export type ItemOutcome =
  | { readonly kind: "record"; readonly record: ItemRecord }
  | { readonly kind: "none"; readonly error: InvError }
  | { readonly kind: "unreadable"; readonly error: InvError };

export type SearchOutcome =
  /** One entry per requested value, in the order of the request, whatever the answer's order or length. */
  | {
      readonly kind: "items";
      readonly items: readonly ItemOutcome[];
      /** How long ago each was fetched; empty where all were just now. */
      readonly agesMs: readonly number[];
    }
  /** A 400 that names values: index in the request, with the reason. */
  | { readonly kind: "offenders"; readonly offenders: ReadonlyMap<number, InvError> }
  /** A 400 that names another property: the whole group is refused. */
  | { readonly kind: "request-refused"; readonly error: InvError }
  /** A 400 that names nothing: the offender has to be searched. */
  | { readonly kind: "unexplained"; readonly error: InvError }
  /** The documented 404 "No data found": holds for every item of the request. */
  | { readonly kind: "no-data"; readonly error: InvError }
  | Failure;

export type EventsOutcome =
  | {
      readonly kind: "page";
      readonly events: readonly HistoryEvent[];
      readonly nextPageToken: string | null;
    }
  /** The documented no-data and not-mapped answers. */
  | { readonly kind: "none"; readonly error: InvError }
  /** A 400: a parameter was refused. */
  | { readonly kind: "request-refused"; readonly error: InvError }
  | Failure;
