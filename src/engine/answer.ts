/**
 * What a request ends with, and who waits for it: a record of its own per cell and no promise, since sheets make 100,000 of
 * them at once. Those who wait for the same stand in line, each with the one behind it. Those of whom there are few ask
 * with a promise.
 */
import type { InvError } from "../domain/errors";
import type { HistoryEvent, ItemRecord } from "../domain/records";

/** What a request ends with when it was answered, now or earlier in this session. */
export type Answer<T> = (
  | { readonly found: true; readonly value: T }
  /** The service's "no": not mapped, no data, a refused value. It is an answer, and cached like one. */
  | { readonly found: false; readonly error: InvError }
) & {
  /** When INV fetched it, milliseconds UTC. */
  readonly fetchedAtMs: number;
  /** Set when this is the last known answer because the new one did not come: why it did not. */
  readonly staleBecause?: InvError;
};

export type ItemAnswer = Answer<ItemRecord>;
/** The events of all pages, sorted by time. */
export type HistoryAnswer = Answer<readonly HistoryEvent[]>;

/** The answer, or why there is none. */
export type Outcome<T> = Answer<T> | InvError;

export interface Waiter<T> {
  /** The engine's, while it waits: who stands behind it. */
  next: Waiter<T> | null;
  /** Told once, after it has asked. It must not throw. */
  settle(outcome: Outcome<T>): void;
}

/** Whether the service answered, its "no" included. */
export function isAnswered<T>(outcome: Outcome<T>): outcome is Answer<T> {
  return "found" in outcome;
}

/** The outcome where it is known, else null, and the waiter is told it later. */
export type Ask<Query, T> = (query: Query, waiter: Waiter<T>, cell: string | undefined) => Outcome<T> | null;

/** Settles with what this query ends with. */
export function promised<Query, T>(
  ask: Ask<Query, T>,
  query: Query,
  cell: string | undefined,
): Promise<Answer<T>> {
  return new Promise((resolve) => {
    const waiter: Promised<T> = { next: null, resolve, settle };
    const outcome = ask(query, waiter, cell);
    if (outcome !== null) waiter.settle(outcome);
  });
}

interface Promised<T> extends Waiter<T> {
  readonly resolve: (answer: Answer<T> | Promise<never>) => void;
}

/** One function for all. */
function settle<T>(this: Promised<T>, outcome: Outcome<T>): void {
  this.resolve(isAnswered(outcome) ? outcome : Promise.reject(outcome));
}
