/**
 * Which cells an edit gave a new content or formula; a change of style alone is none. Typing a formula
 * again counts: in Excel it calls the function again, so here it does too.
 */
import type { CellPlace } from "../../functions/cell-values";

interface Edit {
  readonly subUnitId: string;
  readonly cellValue?: Readonly<Record<number, Readonly<Record<number, object | null>>>>;
}

export function editedCells(params: unknown): CellPlace[] {
  const { subUnitId, cellValue } = params as Edit;
  const places: CellPlace[] = [];
  for (const [row, cells] of Object.entries(cellValue ?? {})) {
    for (const [col, cell] of Object.entries(cells)) {
      const isStyleOnly = cell !== null && !("v" in cell || "f" in cell || "si" in cell || "p" in cell);
      if (!isStyleOnly) places.push({ sheetId: subUnitId, row: Number(row), col: Number(col) });
    }
  }
  return places;
}
