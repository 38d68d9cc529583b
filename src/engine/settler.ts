/**
 * Settles cells a few at a time. A big answer, a cancel or a recalculation from the cache could settle a
 * hundred thousand promises at once and freeze the pane for the time their callbacks take; here at most
 * 2,000 cells settle in one turn of the event loop and the rest follow, in order, in the turns after it.
 * Knows nothing of items or calls. Invariant: what is handed over is settled, whatever happens next.
 */
import type { InvError } from "../domain/errors";
import type { Clock } from "./clock";

export type Resolve<T> = (answer: T | PromiseLike<T>) => void;

/** Cells settled in one turn: about a millisecond of callbacks. */
const settledPerTurn = 2_000;

/**
 * Cells that may hang on one promise. A promise settles all its cells in one turn, so equal requests
 * beyond this number get a second promise for the same answer.
 */
export const cellsPerPromise = 1_000;

export interface Settler {
  /** Settles a promise on which this many cells hang: now, or in a later turn when this one is full. */
  settle<T>(resolve: Resolve<T>, answer: T | Promise<T>, cells: number): void;
  /** True, and counted, while one more cell may settle in this turn. */
  takeRoom(): boolean;
  /** A promise of this answer for one cell. */
  answer<T>(answer: T): Promise<T>;
  /** A promise for one cell that rejects with this reason. */
  refuse(error: InvError): Promise<never>;
  /** The one rejected promise of all that end with this reason: an engine tells each rejection apart, which costs. */
  refusal(error: InvError): Promise<never>;
  /** Promises handed over and not settled yet. */
  pending(): number;
}

/** `onDrained` is told when the last promise that had to wait for a later turn has settled. */
export function createSettler(clock: Clock, onDrained: () => void): Settler {
  const resolves: Resolve<unknown>[] = [];
  const answers: unknown[] = [];
  const weights: number[] = [];
  let head = 0;
  let settledNow = 0;
  let turnBegun = false;
  let latestRefusal: { readonly error: InvError; readonly promise: Promise<never> } | null = null;

  function beginTurn(): void {
    if (turnBegun) return;
    turnBegun = true;
    clock.nextTurn(endTurn);
  }

  function endTurn(): void {
    turnBegun = false;
    settledNow = 0;
    if (head === resolves.length) return;
    beginTurn();
    while (head < resolves.length && hasRoom(weights[head] ?? 1)) {
      settledNow += weights[head] ?? 1;
      resolves[head]?.(answers[head]);
      head += 1;
    }
    if (head === resolves.length) {
      resolves.length = answers.length = weights.length = head = 0;
      onDrained();
    }
  }

  function hasRoom(cells: number): boolean {
    return settledNow === 0 || settledNow + cells <= settledPerTurn;
  }

  function settle<T>(resolve: Resolve<T>, answer: T | Promise<T>, cells: number): void {
    beginTurn();
    if (head === resolves.length && hasRoom(cells)) {
      settledNow += cells;
      resolve(answer);
      return;
    }
    resolves.push(resolve as Resolve<unknown>);
    answers.push(answer);
    weights.push(cells);
  }

  function takeRoom(): boolean {
    beginTurn();
    if (head !== resolves.length || !hasRoom(1)) return false;
    settledNow += 1;
    return true;
  }

  function refusal(error: InvError): Promise<never> {
    if (latestRefusal?.error !== error) latestRefusal = { error, promise: rejected(error) };
    return latestRefusal.promise;
  }

  function later<T>(answer: T | Promise<T>): Promise<T> {
    return new Promise<T>((resolve) => settle(resolve, answer, 1));
  }

  return {
    settle,
    takeRoom,
    answer: (answer) => (takeRoom() ? Promise.resolve(answer) : later(answer)),
    refuse: (error) => (takeRoom() ? refusal(error) : later(refusal(error))),
    refusal,
    pending: () => resolves.length - head,
  };
}

/** To resolve any number of others with; it is never an unhandled rejection itself. */
function rejected(error: InvError): Promise<never> {
  const promise: Promise<never> = Promise.reject(error);
  promise.catch(() => undefined);
  return promise;
}
