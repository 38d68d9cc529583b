/**
 * The ages of the values in cells: how many values have each fetch time, and which cells show the oldest. The
 * values of one answer share their fetch time, so there are far fewer counts than cells.
 * Invariant: each time that was added is removed before the cell's next one is added.
 */
import type { InvCell } from "./cell-record";

type Times = Pick<InvCell, "oldestMs" | "newestMs">;

/** Number of cells whose oldest value has this time, and of cells whose newest value has it. */
interface Count {
  readonly timeMs: number;
  oldest: number;
  newest: number;
}

export function createTimeCounts() {
  const counts = new Map<number, Count>();
  /** The last count that was used, because neighbouring cells often show values of the same time. */
  let last: Count = { timeMs: NaN, oldest: 0, newest: 0 };

  function countOf(timeMs: number): Count {
    if (last.timeMs === timeMs) return last;
    let count = counts.get(timeMs);
    if (count === undefined) counts.set(timeMs, (count = { timeMs, oldest: 0, newest: 0 }));
    last = count;
    return count;
  }

  function change({ oldestMs, newestMs }: Times, by: 1 | -1): void {
    if (oldestMs === null || newestMs === null) return;
    countOf(oldestMs).oldest += by;
    countOf(newestMs).newest += by;
  }

  /** Returns the times that some cell has, and removes the others. */
  function usedCounts(): readonly Count[] {
    for (const { timeMs, oldest, newest } of counts.values()) {
      if (oldest === 0 && newest === 0) counts.delete(timeMs);
    }
    last = { timeMs: NaN, oldest: 0, newest: 0 };
    return [...counts.values()];
  }

  return {
    add: (cell: Times) => change(cell, 1),
    remove: (cell: Times) => change(cell, -1),
    /** Returns the times of the oldest and the newest value, or null for both without values. */
    range(): Times {
      const used = usedCounts();
      if (used.length === 0) return { oldestMs: null, newestMs: null };
      const times = used.map(({ timeMs }) => timeMs);
      return { oldestMs: Math.min(...times), newestMs: Math.max(...times) };
    },
    countBefore: (limitMs: number) =>
      usedCounts().reduce((sum, { timeMs, oldest }) => sum + (timeMs < limitMs ? oldest : 0), 0),
  };
}

/** Returns at most `maxCells` settled cells that show a value of their own fetched before `limitMs`, oldest first. */
export function oldestCells(cells: Iterable<InvCell>, limitMs: number, maxCells: number): readonly InvCell[] {
  const found: InvCell[] = [];
  if (maxCells === 0) return found;
  for (const cell of cells) {
    const { oldestMs, state, isAgeCell } = cell;
    if (oldestMs === null || oldestMs >= limitMs || state === "waiting" || isAgeCell) continue;
    const last = found[maxCells - 1];
    if (last !== undefined && timeOf(last) <= oldestMs) continue;
    let place = found.length;
    while (place > 0 && timeOf(found[place - 1]) > oldestMs) place--;
    found.splice(place, 0, cell);
    if (found.length > maxCells) found.pop();
  }
  return found;
}

function timeOf(cell: InvCell | undefined): number {
  return cell?.oldestMs ?? Infinity;
}
