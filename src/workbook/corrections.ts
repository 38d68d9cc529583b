/** Writes other values or formulas into cells, in one undo step. Skips cells that have changed since they were read. */
import { cellKey } from "./addresses";
import { mergeCells, rowsOf, runsAround } from "./cell-areas";
import type { Area, CellChange, CellRef, CellValue, FoundContent, Workbook } from "./port";

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
  /** What INV has overwritten and couldn't put back. Almost always empty. */
  readonly overwritten: readonly FoundContent[];
}

/** Above this number of blocks, INV takes parts of columns with the cells between. */
const mostBlocks = 20;
const mostGap = 2_000;

/** Writes the corrections. If a cell has several, the first counts. */
export async function correct(
  workbook: Workbook,
  corrections: readonly Correction[],
): Promise<CorrectionCounts> {
  const byCell = new Map<string, CellChange>();
  for (const { cell, ...change } of corrections) {
    const key = cellKey(cell);
    if (!byCell.has(key)) byCell.set(key, change);
  }
  const overwritten: FoundContent[] = [];
  let cells = 0;
  await workbook.step(
    async (workbook) => {
      for (const area of areasOf(corrections.map(({ cell }) => cell))) {
        const done = await workbook.replace(area, rowsOf(area, byCell));
        cells += done.cells;
        overwritten.push(...done.overwritten);
      }
    },
    { asOneUndo: true },
  );
  return { cells, skipped: byCell.size - cells, overwritten };
}

function areasOf(cells: readonly CellRef[]): readonly Area[] {
  const blocks = mergeCells(cells);
  return blocks.length <= mostBlocks ? blocks : runsAround(cells, mostGap);
}
