/** The cells with which a calculation starts, as the engine takes them. */
import type { IUnitRange } from "@univerjs/core";
import type { CellPlace } from "../../functions/cell-values";

/** Merges cells below each other into ranges, because the engine's cost grows with the number of ranges. */
export function dirtyRanges(unitId: string, places: readonly CellPlace[]): IUnitRange[] {
  const sorted = [...places].sort((a, b) => compare(a.sheetId, b.sheetId) || a.col - b.col || a.row - b.row);
  const ranges: IUnitRange[] = [];
  for (const { sheetId, row, col } of sorted) {
    const last = ranges.at(-1);
    if (last?.sheetId === sheetId && last.range.startColumn === col && row <= last.range.endRow + 1) {
      last.range.endRow = Math.max(last.range.endRow, row);
    } else {
      ranges.push({
        unitId,
        sheetId,
        range: { startRow: row, endRow: row, startColumn: col, endColumn: col },
      });
    }
  }
  return ranges;
}

/** Any order works; `localeCompare` takes ten times as long. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
