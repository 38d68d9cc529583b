/** What a calculation is to begin with: cells, as the engine takes them. */
import type { IUnitRange } from "@univerjs/core";
import type { CellPlace } from "../../functions/cell-values";

/** Merges cells into as few ranges as runs down a column allow: the engine's cost grows with their number. */
export function dirtyRanges(unitId: string, places: readonly CellPlace[]): IUnitRange[] {
  const sorted = [...places].sort((a, b) => inOrder(a.sheetId, b.sheetId) || a.col - b.col || a.row - b.row);
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

/** Any order does, and a language's own takes ten times as long. */
function inOrder(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** What the engine is told beside cells: no name, table or formula elsewhere has changed. */
export function nothingElse() {
  return {
    dirtyNameMap: {},
    dirtyDefinedNameMap: {},
    dirtySuperTableMap: {},
    dirtyUnitFeatureMap: {},
    dirtyUnitOtherFormulaMap: {},
    clearDependencyTreeCache: {},
  };
}
