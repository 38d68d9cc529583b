/** Picks the cells with the oldest values among many, without sorting them all. */
import type { CellUse } from "./cell-record";

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
