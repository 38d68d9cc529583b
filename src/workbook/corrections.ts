/** Corrects cells in one undo step, with few writes. Skips cells that have changed since they were validated. */
import { cellKey } from "./addresses";
import { mergeCells, rowsOf, visitCells } from "./cell-areas";
import type { CellRef, CellValue, Workbook } from "./port";

export interface Correction {
  readonly cell: CellRef;
  readonly from: CellValue;
  /** A text is written as text, a number as a number. */
  readonly to: string | number;
}

export interface CorrectionCounts {
  readonly cells: number;
  readonly skipped: number;
}

/** Writes the corrections. If a cell has several, the first counts. */
export async function correct(
  workbook: Workbook,
  corrections: readonly Correction[],
): Promise<CorrectionCounts> {
  const byCell = new Map<string, Correction>();
  for (const correction of corrections) {
    const key = cellKey(correction.cell);
    if (!byCell.has(key)) byCell.set(key, correction);
  }
  const unchanged: Correction[] = [];
  for (const area of mergeCells(cellsOf([...byCell.values()]))) {
    visitCells(area, await workbook.read(area, "formulas"), (value, ref) => {
      const correction = byCell.get(cellKey(ref));
      if (correction?.from === value) unchanged.push(correction);
    });
  }
  const written = new Map(unchanged.map(({ cell, to }) => [cellKey(cell), to]));
  await workbook.step(async () => {
    // A cell formatted as text would turn a number into text again.
    const numbers = unchanged.filter(({ from, to }) => typeof to === "number" && typeof from === "string");
    for (const area of mergeCells(cellsOf(numbers))) await workbook.format(area, { numberFormat: "General" });
    for (const area of mergeCells(cellsOf(unchanged))) await workbook.write(area, rowsOf(area, written));
  });
  return { cells: unchanged.length, skipped: byCell.size - unchanged.length };
}

function cellsOf(corrections: readonly Correction[]): CellRef[] {
  return corrections.map(({ cell }) => cell);
}
