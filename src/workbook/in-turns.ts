/**
 * Going through what a big workbook holds without freezing the page: some thousands at a time, the rest in the
 * turns of the event loop that follow. What it is called for may have changed between two turns.
 */
import type { Clock } from "../engine/clock";

/** Some ten milliseconds of look-ups. */
const perTurn = 10_000;

/** Visits each in order; the first ones in this turn. */
export async function inTurns<T>(clock: Clock, list: readonly T[], visit: (each: T) => void): Promise<void> {
  for (let start = 0; start < list.length; start += perTurn) {
    if (start > 0) await new Promise<void>((resolve) => clock.nextTurn(resolve));
    const end = Math.min(start + perTurn, list.length);
    for (let index = start; index < end; index++) visit(list[index] as T);
  }
}
