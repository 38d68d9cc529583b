/**
 * Putting cells right: what was validated is written only where it still stands, in few writes and as one step to
 * undo. A formula is never overwritten: what a cell calculates is put right where it comes from.
 */
import { cellKey } from "./addresses";
import { bySheet, mergeCells } from "./cell-areas";
import type { Area, CellRef, CellValue, Workbook } from "./port";

export interface Correction {
  readonly cell: CellRef;
  /** What stood there when it was validated. */
  readonly from: CellValue;
  /** Text stays text, a number becomes a number. */
  readonly to: string | number;
}

export interface Corrected {
  readonly cells: number;
  /** Cells that have changed since they were validated, and were left as they are. */
  readonly left: number;
}

/** Writes the corrections; of several for one cell the first counts. */
export async function correct(workbook: Workbook, corrections: readonly Correction[]): Promise<Corrected> {
  const byCell = new Map<string, Correction>();
  for (const correction of corrections) {
    const key = cellKey(correction.cell);
    if (!byCell.has(key)) byCell.set(key, correction);
  }
  const standing: Correction[] = [];
  for (const area of areasOf([...byCell.values()])) {
    const now = await workbook.read(area, "formulas");
    for (const [key, value] of cellsOf(area, now)) {
      const correction = byCell.get(key);
      if (correction?.from === value) standing.push(correction);
    }
  }
  await workbook.step(async () => {
    // A cell formatted as text would take a number for text again.
    const numbers = standing.filter(({ from, to }) => typeof to === "number" && typeof from === "string");
    for (const area of areasOf(numbers)) await workbook.format(area, { numberFormat: "General" });
    for (const area of areasOf(standing)) {
      const rows = Array.from({ length: area.rows }, (_, down) =>
        Array.from({ length: area.cols }, (_unused, right) => {
          const at = { sheet: area.sheet, row: area.row + down, col: area.col + right };
          return byCell.get(cellKey(at))?.to ?? null;
        }),
      );
      await workbook.write(area, rows);
    }
  });
  return { cells: standing.length, left: byCell.size - standing.length };
}

function areasOf(corrections: readonly Correction[]): Area[] {
  return [...bySheet(corrections.map(({ cell }) => cell))].flatMap(([sheet, refs]) =>
    mergeCells(refs).map((block) => ({ sheet, ...block })),
  );
}

function* cellsOf(area: Area, values: readonly (readonly CellValue[])[]): Iterable<[string, CellValue]> {
  for (const [down, row] of values.entries()) {
    for (const [right, value] of row.entries()) {
      yield [cellKey({ sheet: area.sheet, row: area.row + down, col: area.col + right }), value];
    }
  }
}
