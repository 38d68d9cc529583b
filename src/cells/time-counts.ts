/**
 * How many cells show a value of which time, for "oldest" and "newest" at any moment. All values of one
 * answer share their time, so there are as many entries as answers, not as many as cells.
 * Invariant: what was added is removed with the same time before it is added anew.
 */

export interface TimeCounts {
  add(timeMs: number | null): void;
  remove(timeMs: number | null): void;
  /** Null while there is none. */
  oldest(): number | null;
  newest(): number | null;
  /** How many are older than this time. */
  before(timeMs: number): number;
}

export function createTimeCounts(): TimeCounts {
  const counts = new Map<number, number>();

  function change(timeMs: number | null, by: number): void {
    if (timeMs === null) return;
    const count = (counts.get(timeMs) ?? 0) + by;
    if (count > 0) counts.set(timeMs, count);
    else counts.delete(timeMs);
  }

  function best(isBetter: (timeMs: number, than: number) => boolean): number | null {
    let found: number | null = null;
    for (const timeMs of counts.keys()) if (found === null || isBetter(timeMs, found)) found = timeMs;
    return found;
  }

  return {
    add: (timeMs) => change(timeMs, 1),
    remove: (timeMs) => change(timeMs, -1),
    oldest: () => best((timeMs, than) => timeMs < than),
    newest: () => best((timeMs, than) => timeMs > than),
    before(limitMs) {
      let found = 0;
      for (const [timeMs, count] of counts) if (timeMs < limitMs) found += count;
      return found;
    },
  };
}
