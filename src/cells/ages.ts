/**
 * How old what the cells show is: how many show a value of which time, for "oldest" and "newest" at any moment, and
 * which cells those with the oldest values are. All values of one answer share their time, so there are as many counts
 * as answers, not as many as cells. Invariant: what was added is removed with the same time before it is added anew.
 */
import type { CellUse } from "./cell-record";

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

/** At most `most` settled cells that show a value of before `limitMs`, the oldest first. */
export function oldestOf(cells: Iterable<CellUse>, limitMs: number, most: number): readonly CellUse[] {
  const found: CellUse[] = [];
  if (most === 0) return found;
  for (const cell of cells) {
    const { oldestMs, state } = cell;
    if (oldestMs === null || oldestMs >= limitMs || state === "waiting") continue;
    const last = found[most - 1];
    if (last !== undefined && timeOf(last) <= oldestMs) continue;
    let place = found.length;
    while (place > 0 && timeOf(found[place - 1]) > oldestMs) place--;
    found.splice(place, 0, cell);
    if (found.length > most) found.pop();
  }
  return found;
}

function timeOf(cell: CellUse | undefined): number {
  return cell?.oldestMs ?? Infinity;
}
