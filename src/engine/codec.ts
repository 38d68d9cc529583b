/**
 * What differs between the operations in the service's contract, over `api`'s functions: how the request of a call is built,
 * and what its response means for each entry. A codec doesn't decide when or how often a call is sent, and stores nothing.
 */
import type { Failure } from "../api/outcomes";
import type { InvError } from "../domain/errors";
import type { Call, CachedAnswer } from "./entry";

export interface Codec<T, E, P, A extends ServiceAnswer> {
  build(call: Call<E, P>, accessToken: string, signal: AbortSignal): Request;
  /** Never rejects. */
  receive(call: Call<E, P>, response: Response): Promise<A | Failure>;
  read(call: Call<E, P>, answer: A): CallResult<T, E, P>;
  /** The result of a call that failed. */
  unanswered(call: Call<E, P>, error: InvError): CallResult<T, E, P>;
}

/** What a response means for all entries of its call. */
export interface CallResult<T, E, P> {
  readonly answered: readonly { readonly entry: E; readonly answer: CachedAnswer<T> }[];
  /** Neither answered nor at fault: queued again, before those that came later. */
  readonly again: readonly E[];
  readonly failed: readonly { readonly entry: E; readonly error: InvError }[];
  /** Calls that continue this one: the next page, the next part of a bisection. */
  readonly follows: readonly Call<E, P>[];
}

export const emptyResult = { answered: [], again: [], failed: [], follows: [] };

/** A response that is not a failure, as read by a codec. */
export interface ServiceAnswer {
  readonly kind: string;
}
