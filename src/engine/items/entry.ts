/**
 * One item at one store as the engine holds it, from its first asking to its last known answer: at once
 * the waiting cell, what stands in line and the cache's record. Hundred thousands of them are alive, so an
 * entry is five words: no object or closure per cell, and flags and cell count share one small integer.
 * Invariant: an entry that is `queued` or `taken` will settle; one that is neither has no waiting cell.
 */
import type { ItemAnswer } from "../types";
import type { Resolve } from "../settler";

export interface Entry {
  /** The item's identifier, by which its group finds it. */
  readonly value: string;
  /** The last known answer, fresh or not. */
  answer: ItemAnswer | null;
  /** While it waits: the promise its cells share. Afterwards: the same, settled with `answer`. */
  promise: Promise<ItemAnswer> | null;
  resolve: Resolve<ItemAnswer> | null;
  /** Flags below `oneCell`; the number of waiting cells above. */
  state: number;
}

/** It stands in its group's line. */
export const queued = 1;
/** It left the line in a call, which is under way or waits to be tried again. */
export const taken = 2;
/** A refresh began after its answer was asked for. */
export const outdated = 4;
/** A refresh put it in line before any cell asked. */
export const unasked = 8;
/** A refresh began while its call was under way; another entry has its place in the group. */
export const detached = 16;
export const oneCell = 32;

/** Waiting or under way. */
export const pending = queued | taken;

export function createEntry(value: string, answer: ItemAnswer | null, state: number): Entry {
  return { value, answer, promise: null, resolve: null, state };
}

export function cellsOf(entry: Entry): number {
  return entry.state >> 5;
}

/** Whether its answer may be given again without a call. */
export function isFreshEntry(entry: Entry, nowMs: number, freshnessMs: number): boolean {
  return (
    entry.answer !== null && (entry.state & outdated) === 0 && nowMs - entry.answer.fetchedAtMs < freshnessMs
  );
}
