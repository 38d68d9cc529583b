/**
 * The ages of the values that cells show: how many values have each fetch time, and which cells show the oldest. The values of
 * one answer share their fetch time, so there are far fewer counts than cells.
 * Invariant: each time that was added is removed before the cell's next one is added.
 */
import type { CellUse } from "./cell-record";

export interface TimeCounts {
  add(timeMs: number | null): void;
  remove(timeMs: number | null): void;
  /** Null if there are no values. */
  oldest(): number | null;
  newest(): number | null;
  /** Returns how many values are older than this time. */
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

/** Returns at most `most` settled cells that show a value fetched before `limitMs`, the oldest first. */
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
