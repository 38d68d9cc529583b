/**
 * Visits large lists in several turns of the event loop, so that the page stays responsive. The data that a visit reads may
 * change between two turns.
 */
import type { Clock } from "../engine/clock";

/** About ten milliseconds of look-ups. */
const perSlice = 10_000;

type Visit<T> = (each: T) => void;

/** Visits the items in order, starting in this turn. Resolves after the last. Slow visits need a smaller slice. */
export async function inTimeSlices<T>(
  clock: Clock,
  list: readonly T[],
  how: Visit<T> | { readonly visit: Visit<T>; readonly size: number },
): Promise<void> {
  const { visit, size } = "size" in how ? how : { visit: how, size: perSlice };
  for (let start = 0; start < list.length; start += size) {
    if (start > 0) await new Promise<void>((resolve) => clock.nextTurn(resolve));
    list.slice(start, start + size).forEach(visit);
  }
}
