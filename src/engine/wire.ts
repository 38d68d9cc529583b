/**
 * What differs between the two operations on the wire, over `api`'s functions: how a call is built, and what the
 * answer to it means. A wire decides nothing about when and how often, and keeps nothing.
 */
import type { CallOptions } from "../api/headers";
import type { Failure } from "../api/outcomes";
import type { InvError } from "../domain/errors";
import type { Call } from "./call";
import type { Known } from "./entry";

export interface Wire<T, E, P, A extends { readonly kind: string }> {
  build(call: Call<E, P>, options: CallOptions): Request;
  /** Never rejects. */
  receive(call: Call<E, P>, response: Response): Promise<A | Failure>;
  read(call: Call<E, P>, answer: A): Reading<T, E, P>;
  /** What a call means that nobody answered. */
  unanswered(call: Call<E, P>, error: InvError): Reading<T, E, P>;
}

/** What a call came to, for all that it holds. */
export interface Reading<T, E, P> {
  readonly answered: readonly { readonly entry: E; readonly answer: Known<T> }[];
  /** Not this call's fault: wait again, before those that came later. */
  readonly again: readonly E[];
  readonly failed: readonly { readonly entry: E; readonly error: InvError }[];
  /** Calls that go on from this one: the next page, the next part of a bisection. */
  readonly follows: readonly Call<E, P>[];
}

/** To begin with. */
export const nothingRead = { answered: [], again: [], failed: [], follows: [] };

export function isFailure(outcome: { readonly kind: string }): outcome is Failure {
  switch (outcome.kind as Failure["kind"]) {
    case "token-refused":
    case "token-unknown":
    case "operation-refused":
    case "throttled":
    case "unavailable":
    case "unreadable":
      return true;
    default:
      return false;
  }
}
