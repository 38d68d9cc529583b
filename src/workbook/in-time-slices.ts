/**
 * Visits large lists in several turns of the event loop, so that the page stays responsive. The data that a visit reads may
 * change between two turns. A slice has a fixed number of visits, so that tests on a virtual clock see the same turns.
 */
import { type Clock, nextTurn } from "../engine/clock";

/** About ten milliseconds of look-ups. */
const perSlice = 10_000;

type Visit<T> = (each: T) => void;

/** Visits the items in order, starting in this turn. Resolves after the last. Slow visits need a smaller slice. */
export async function inTimeSlices<T>(
  clock: Pick<Clock, "nextTurn">,
  items: Iterable<T>,
  how: Visit<T> | { readonly visit: Visit<T>; readonly size: number },
): Promise<void> {
  const { visit, size } = "size" in how ? how : { visit: how, size: perSlice };
  let visits = 0;
  for (const item of items) {
    if (visits > 0 && visits % size === 0) await nextTurn(clock);
    visit(item);
    visits += 1;
  }
}
