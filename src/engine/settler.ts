/**
 * Settles cells a few at a time. A big answer, a cancel or a recalculation from the cache could settle a
 * hundred thousand cells at once and freeze the pane for the time that takes; here at most 2,000 settle in
 * one turn of the event loop and the rest follow, in order, in the turns after it.
 * Knows nothing of items or calls. Invariant: what is handed over is settled, whatever happens next.
 */
import type { Clock } from "./clock";
import type { Outcome, Waiter } from "./answer";

/** Cells settled in one turn: about a millisecond. */
const settledPerTurn = 2_000;

export interface Settler {
  /** For one that has just asked: its outcome at once, or null when this turn is full and it is told in a later one. */
  give<T>(waiter: Waiter<T>, outcome: Outcome<T>): Outcome<T> | null;
  /** Tells the first of a line and all behind it: now, or in later turns as far as this one is full. */
  settle<T>(first: Waiter<T>, outcome: Outcome<T>): void;
  /** Lines handed over that are not settled to their end. */
  pending(): number;
}

/** `onDrained` is told when the last cell that had to wait for a later turn has settled. */
export function createSettler(clock: Clock, onDrained: () => void): Settler {
  const lines: Waiter<unknown>[] = [];
  const outcomes: Outcome<unknown>[] = [];
  let head = 0;
  let settledNow = 0;
  let turnBegun = false;

  function beginTurn(): void {
    if (turnBegun) return;
    turnBegun = true;
    clock.nextTurn(endTurn);
  }

  function endTurn(): void {
    turnBegun = false;
    settledNow = 0;
    if (head === lines.length) return;
    beginTurn();
    while (head < lines.length && settledNow < settledPerTurn) {
      const rest = tell(lines[head] as Waiter<unknown>, outcomes[head] as Outcome<unknown>);
      if (rest === null) head += 1;
      else lines[head] = rest;
    }
    if (head === lines.length) {
      lines.length = outcomes.length = head = 0;
      onDrained();
    }
  }

  /** As many of a line as this turn has room for; the first of the others, or null. */
  function tell<T>(first: Waiter<T>, outcome: Outcome<T>): Waiter<T> | null {
    let waiter: Waiter<T> | null = first;
    while (waiter !== null && settledNow < settledPerTurn) {
      const { next }: Waiter<T> = waiter;
      waiter.next = null;
      settledNow += 1;
      waiter.ended(outcome);
      waiter = next;
    }
    return waiter;
  }

  function settle<T>(first: Waiter<T>, outcome: Outcome<T>): void {
    beginTurn();
    const rest = head === lines.length ? tell(first, outcome) : first;
    if (rest === null) return;
    lines.push(rest);
    outcomes.push(outcome);
  }

  return {
    give(waiter, outcome) {
      beginTurn();
      if (head !== lines.length || settledNow >= settledPerTurn) {
        settle(waiter, outcome);
        return null;
      }
      settledNow += 1;
      return outcome;
    },
    settle,
    pending: () => lines.length - head,
  };
}
