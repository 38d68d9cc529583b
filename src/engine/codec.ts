/**
 * What differs between the two operations in the service's contract, over `api`'s functions: how a call is built, and what
 * the answer to it means for each entry of the call. A codec decides nothing about when and how often, and stores nothing.
 */
import type { Failure } from "../api/outcomes";
import type { InvError } from "../domain/errors";
import type { Call, CachedAnswer } from "./entry";

export interface Codec<T, E, P, A extends ServiceAnswer> {
  build(call: Call<E, P>, accessToken: string, signal: AbortSignal): Request;
  /** Never rejects. */
  receive(call: Call<E, P>, response: Response): Promise<A | Failure>;
  read(call: Call<E, P>, answer: A): CallResult<T, E, P>;
  /** What a call means that nobody answered. */
  unanswered(call: Call<E, P>, error: InvError): CallResult<T, E, P>;
}

/** What a call came to, for all that it holds. */
export interface CallResult<T, E, P> {
  readonly answered: readonly { readonly entry: E; readonly answer: CachedAnswer<T> }[];
  /** Not this call's fault: wait again, before those that came later. */
  readonly again: readonly E[];
  readonly failed: readonly { readonly entry: E; readonly error: InvError }[];
  /** Calls that go on from this one: the next page, the next part of a bisection. */
  readonly follows: readonly Call<E, P>[];
}

/** To begin with. */
export const emptyResult = { answered: [], again: [], failed: [], follows: [] };

/** What the service said, as a wire understands it. */
export interface ServiceAnswer {
  readonly kind: string;
}
