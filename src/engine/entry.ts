/**
 * What the engine holds of one query, an item or a history: the last known answer, how new an answer has to
 * be, and the cells that wait. Plain data and pure functions; what happens to it is in `entries`.
 *
 * The epoch is a number that each refresh counts up. A call has the epoch in which it was sent, an answer
 * that of its call, a waiting cell the one that its entry wanted when it asked. So an answer settles exactly
 * the cells whose epoch is not above the call's, and whatever comes late can be told from what is newer.
 *
 * Hundred thousands of entries are alive, so one is a few words: no object or closure per cell, and flags and
 * cell count share one small integer.
 */
import type { Answer, Waiter } from "./answer";

/** When a call was sent. */
export interface Asked {
  readonly epoch: number;
  /** Counts the calls of a session as they leave: the order of two that left in one moment, too. */
  readonly number: number;
  /** By the steady clock; earlier than the call where a colleague's answer is given. */
  readonly atMs: number;
}

export type Known<T> = Answer<T> & { readonly asked: Asked };

export interface Entry<T> {
  /** The last known answer, fresh or not. */
  answer: Known<T> | null;
  /** The epoch of the latest refresh that wants it: an answer of an earlier one is not fresh. */
  wantedEpoch: number;
  /** Cells that wait for `wantedEpoch`, in line: the first, and the last for the next to stand behind. */
  first: Waiter<T> | null;
  last: Waiter<T> | null;
  /** Flags below `oneCell`; above it, how many cells stand in line. */
  state: number;
}

/** It stands in its queue. */
export const queued = 1;
/** A call carries it: one under way, or one that waits to be sent again. */
export const carried = 2;
/** More than one call does, or one of an epoch before the wanted: who does has to be looked up. */
export const entangled = 4;
export const oneCell = 8;

/** A call as its entries see it. */
export interface Carrier<E> {
  /** When it was last sent; null until it is sent (again), which will then be in the newest epoch. */
  asked: Asked | null;
  holds(entry: E): boolean;
}

/** Cells in the entry's own line. */
export function cellsOf(entry: Pick<Entry<unknown>, "state">): number {
  return entry.state >> 3;
}

export function isNewer(asked: Asked, other: Asked): boolean {
  if (asked.epoch !== other.epoch) return asked.epoch > other.epoch;
  return asked.atMs === other.atMs ? asked.number > other.number : asked.atMs > other.atMs;
}
