/** Asking with a promise, for those of whom there are few: one is made where the outcome is not known at once. */
import type { InvError } from "../domain/errors";
import { type Answer, isAnswered, type Outcome, type Waiter } from "./answer";

type Resolve = (answer: never) => void;

/** The outcome where it is known, else null, and the waiter is told it later. */
type Ask<Query, T> = (query: Query, waiter: Waiter<T>, cell: string | undefined) => Outcome<T> | null;

/** Settles with what this query ends with. */
export type Promising = <Query, T>(
  ask: Ask<Query, T>,
  query: Query,
  cell: string | undefined,
) => Promise<Answer<T>>;

export function createPromising(): Promising {
  let latest: { readonly error: InvError; readonly promise: Promise<never> } | null = null;
  let captured: Resolve | null = null;
  // One function for all promises: a closure each would cost more than what waits.
  const capture = (resolve: Resolve): void => void (captured = resolve);

  /** One rejected promise for all that end with the same reason: an engine tells each rejection apart, which costs. */
  function refusal(error: InvError): Promise<never> {
    if (latest?.error !== error) latest = { error, promise: rejected(error) };
    return latest.promise;
  }

  function ended(this: { readonly resolve: Resolve | null }, outcome: Outcome<unknown>): void {
    this.resolve?.((isAnswered(outcome) ? outcome : refusal(outcome)) as never);
  }

  return <Query, T>(ask: Ask<Query, T>, query: Query, cell: string | undefined) => {
    const waiter = { next: null as Waiter<T> | null, resolve: null as Resolve | null, ended };
    const outcome = ask(query, waiter, cell);
    if (outcome !== null) return isAnswered(outcome) ? Promise.resolve(outcome) : refusal(outcome);
    const promise = new Promise<Answer<T>>(capture);
    waiter.resolve = captured;
    return promise;
  };
}

/** To resolve any number of others with; it is never an unhandled rejection itself. */
function rejected(error: InvError): Promise<never> {
  const promise: Promise<never> = Promise.reject(error);
  promise.catch(() => undefined);
  return promise;
}
