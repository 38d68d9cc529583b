/** Sorts rows as a person does in Excel: relative references adapt to the new row, and names stay. */
import { movedFormula } from "../../src/formula/references";
import type { Cell, HostSheet } from "./sheet";

export function sortRows(
  sheet: HostSheet,
  { from, to, cols }: { readonly from: number; readonly to: number; readonly cols: number },
): void {
  const lines = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) =>
    sheet.cells.get(from + index),
  );
  for (const [index, line] of lines.entries()) {
    const row = to - index;
    const next = new Map<number, Cell>(
      [...(line ?? [])].map(([col, cell]) => {
        const isMoved = col < cols && typeof cell === "string" && cell.startsWith("=");
        return [col, isMoved ? movedFormula(cell, { rows: row - (from + index), cols: 0 }) : cell];
      }),
    );
    sheet.cells.set(row, next);
  }
}
