/**
 * Visits large lists in several turns of the event loop, so that the page stays responsive. The data that a visit reads may
 * change between two turns.
 */
import type { Clock } from "../engine/clock";

/** About ten milliseconds of look-ups. */
const perSlice = 10_000;

/** Visits the items in order, starting in this turn. Resolves after the last. */
export async function inTimeSlices<T>(
  clock: Clock,
  list: readonly T[],
  visit: (each: T) => void,
): Promise<void> {
  for (let start = 0; start < list.length; start += perSlice) {
    if (start > 0) await new Promise<void>((resolve) => clock.nextTurn(resolve));
    visitSome(list, start, visit);
  }
}

/**
 * Visits like `inTimeSlices`, but calls `end` in the turn of the last visit, which is this turn for a short list. Visits must
 * not throw.
 */
export function visitInTimeSlices<T>(
  clock: Clock,
  list: readonly T[],
  { visit, end }: { readonly visit: (each: T) => void; readonly end: () => void },
): void {
  const visitFrom = (start: number): void => {
    visitSome(list, start, visit);
    if (start + perSlice < list.length) clock.nextTurn(() => visitFrom(start + perSlice));
    else end();
  };
  visitFrom(0);
}

function visitSome<T>(list: readonly T[], start: number, visit: (each: T) => void): void {
  const end = Math.min(start + perSlice, list.length);
  for (let index = start; index < end; index++) visit(list[index] as T);
}
