/**
 * Writes other values or formulas into cells, in one undo step. Skips cells that have changed since they were read: it reads
 * them again in the round trip before the write.
 */
import { cellKey } from "./addresses";
import { mergeCells, rowsOf, visitCells } from "./cell-areas";
import type { CellRef, CellValue, Workbook } from "./port";

export interface Correction {
  readonly cell: CellRef;
  /** The cell's formula, or its value if it has none. */
  readonly from: CellValue;
  /** A text is written as text, a number as a number, and a text that begins with `=` as a formula. */
  readonly to: string | number;
}

export interface CorrectionCounts {
  readonly cells: number;
  readonly skipped: number;
}

/** Cells that one round trip reads and the next one writes. Excel on the web accepts and answers 5 MB. */
const cellsAtOnce = 2_000;

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
  const all = [...byCell.values()];
  let cells = 0;
  await workbook.step(
    async (workbook) => {
      for (let from = 0; from < all.length; from += cellsAtOnce) {
        const unchanged = await unchangedOf(workbook, all.slice(from, from + cellsAtOnce));
        const contents = new Map(unchanged.map(({ cell, to }) => [cellKey(cell), to]));
        // A cell formatted as text would turn a number into text again.
        const numbers = unchanged.filter(
          (each) => typeof each.to === "number" && typeof each.from === "string",
        );
        for (const area of areasOf(numbers)) await workbook.format(area, { numberFormat: "General" });
        for (const area of areasOf(unchanged)) await workbook.write(area, rowsOf(area, contents));
        cells += unchanged.length;
      }
    },
    { asOneUndo: true },
  );
  return { cells, skipped: all.length - cells };
}

async function unchangedOf(
  workbook: Workbook,
  corrections: readonly Correction[],
): Promise<readonly Correction[]> {
  const areas = areasOf(corrections);
  const { beside } = await workbook.exchange({ writes: [], beside: areas });
  const now = new Map<string, CellValue>();
  for (const [index, area] of areas.entries()) {
    visitCells(area, beside[index] ?? [], (content, ref) => now.set(cellKey(ref), content));
  }
  return corrections.filter(({ cell, from }) => now.get(cellKey(cell)) === from);
}

function areasOf(corrections: readonly Correction[]) {
  return mergeCells(corrections.map(({ cell }) => cell));
}
