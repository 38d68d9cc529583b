/**
 * Going through what a big workbook holds without freezing the page: some thousands at a time, the rest in the
 * turns of the event loop that follow. What it is called for may have changed between two turns.
 */
import type { Clock } from "../engine/clock";

/** Some ten milliseconds of look-ups. */
const perSlice = 10_000;

/** Visits each in order, the first ones in this turn; resolves after the last. */
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

/** The same, and tells the end in the turn of the last: in this one where there are few. Visits that never throw. */
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
