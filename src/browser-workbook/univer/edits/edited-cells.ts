/**
 * Lists the cells to which an edit gave new content or a formula; style changes don't count. Typing the same formula
 * again counts, because that calls the function again, as in Excel.
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
