/**
 * Counts what the caller sees of its promises: values, failures, how many settle in a turn. The same for the
 * contenders and for the floor, so that its own cost weighs on neither.
 */
import type { VirtualLoop } from "./virtual-loop";

export interface Tally {
  readonly settled: number;
  readonly values: number;
  readonly mostInTurn: number;
  /** Virtual times of the first and the last value. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** Asks for the value of a cell and keeps its promise. */
  follow(promise: Promise<unknown>): void;
  readonly promises: readonly Promise<unknown>[];
}

export function createTally(loop: VirtualLoop): Tally {
  const promises: Promise<unknown>[] = [];
  const tally = { settled: 0, values: 0, mostInTurn: 0, firstMs: 0, lastMs: 0, follow, promises };
  let turn = -1;
  let inTurn = 0;

  function settle(): void {
    tally.settled++;
    inTurn = turn === loop.turns() ? inTurn + 1 : 1;
    turn = loop.turns();
    if (inTurn > tally.mostInTurn) tally.mostInTurn = inTurn;
  }

  function onValue(): void {
    settle();
    tally.lastMs = loop.clock.now();
    if (tally.values++ === 0) tally.firstMs = tally.lastMs;
  }

  function follow(promise: Promise<unknown>): void {
    promise.then(onValue, settle);
    promises.push(promise);
  }

  return tally;
}
