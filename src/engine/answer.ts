/**
 * What a request ends with, and who waits for it. A cell waits with a small record (`Waiter`) instead of a promise, because a
 * sheet may create 100,000 at once. Waiters for the same entry form a linked list. Callers that are few use a promise.
 */
import { InvError } from "../domain/errors";
import type { HistoryEvent, ItemRecord } from "../domain/records";

/** What the service answered, now or earlier. */
export type Answer<T> = (
  | { readonly found: true; readonly value: T }
  /** The service has no such value: not mapped, no data, or a refused value. This is an answer, too, and is cached. */
  | { readonly found: false; readonly error: InvError }
) & {
  /** When INV fetched it, milliseconds UTC. */
  readonly fetchedAtMs: number;
  /** Set when this is the last known answer: why there is no newer one. */
  readonly staleBecause?: InvError;
};

export type ItemAnswer = Answer<ItemRecord>;
/** The events of all pages, sorted by time. */
export type HistoryAnswer = Answer<readonly HistoryEvent[]>;

/** What a waiting cell is settled with: the answer, or the reason why it isn't answered. */
export type Outcome<T> = Answer<T> | InvError;

export interface Waiter<T> {
  /** The next waiter in the list, and the epoch that was wanted when this one asked. Only the engine uses them. */
  next: Waiter<T> | null;
  epoch: number;
  /** Called once, after the request has been made. It must not throw. */
  settle(outcome: Outcome<T>): void;
}

/** Whether the service answered, even if it has no such value. */
export function isAnswered<T>(outcome: Outcome<T>): outcome is Answer<T> {
  return "found" in outcome;
}

/** The error of everything that is not requested because a person chose to work offline. */
export function offline(): InvError {
  const message = "INV is offline and sends no requests. Go online in the INV pane.";
  return new InvError("offline", message);
}

/** Returns the outcome if it is known now. Otherwise returns null, and the waiter is settled later. */
export type Ask<Query, T> = (query: Query, waiter: Waiter<T>, cell: string | undefined) => Outcome<T> | null;

/** Returns the query's answer as a promise, which rejects with the InvError if there is none. */
export function askAsPromise<Query, T>(
  ask: Ask<Query, T>,
  query: Query,
  cell: string | undefined,
): Promise<Answer<T>> {
  return new Promise((resolve) => {
    const waiter: PromiseWaiter<T> = { next: null, epoch: 0, resolve, settle };
    const outcome = ask(query, waiter, cell);
    if (outcome !== null) waiter.settle(outcome);
  });
}

interface PromiseWaiter<T> extends Waiter<T> {
  readonly resolve: (answer: Answer<T> | Promise<never>) => void;
}

/** Shared by all promise waiters, so that none needs a closure of its own. */
function settle<T>(this: PromiseWaiter<T>, outcome: Outcome<T>): void {
  this.resolve(isAnswered(outcome) ? outcome : Promise.reject(outcome));
}
