/** Asks Excel for a property of single cells, in as few blocks as hold them. */
import { cellKey } from "../addresses";
import { bySheet, mergeCells } from "../cell-areas";
import { type Property, readBlocks } from "./read";
import type { CellRef } from "../port";

/** By the very object that was given. */
export type CellAnswers = ReadonlyMap<CellRef, unknown>;

export async function askCells(
  context: Excel.RequestContext,
  cells: readonly CellRef[],
  property: Property,
): Promise<CellAnswers> {
  const wanted = new Map(cells.map((ref) => [cellKey(ref), ref]));
  const answers = new Map<CellRef, unknown>();
  const blocks = [...bySheet(cells)].flatMap(([sheet, own]) =>
    mergeCells(own).map((block) => ({ sheet, ...block })),
  );
  await readBlocks(context, { blocks, property }, ({ sheet, row, col }, found) => {
    for (const [r, line] of found.entries()) {
      for (const [c, answer] of line.entries()) {
        const ref = wanted.get(cellKey({ sheet, row: row + r, col: col + c }));
        if (ref) answers.set(ref, answer);
      }
    }
  });
  return answers;
}
