/** Asking with a promise, for those of whom there are few. */
import type { InvError } from "../domain/errors";
import { type Answer, isAnswered, type Outcome, type Waiter } from "./answer";

/** The outcome where it is known, else null, and the waiter is told it later. */
export type Ask<Query, T> = (query: Query, waiter: Waiter<T>, cell: string | undefined) => Outcome<T> | null;

/** Settles with what this query ends with. */
export function promised<Query, T>(
  ask: Ask<Query, T>,
  query: Query,
  cell: string | undefined,
): Promise<Answer<T>> {
  return new Promise((resolve, reject) => {
    const waiter: Promised<T> = { next: null, resolve, reject, ended };
    const outcome = ask(query, waiter, cell);
    if (outcome !== null) waiter.ended(outcome);
  });
}

interface Promised<T> extends Waiter<T> {
  readonly resolve: (answer: Answer<T>) => void;
  readonly reject: (error: InvError) => void;
}

/** One function for all. */
function ended<T>(this: Promised<T>, outcome: Outcome<T>): void {
  if (isAnswered(outcome)) this.resolve(outcome);
  else this.reject(outcome);
}
