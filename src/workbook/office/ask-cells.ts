/** Reads a property of single cells from Excel, in few blocks. */
import { cellKey } from "../addresses";
import { mergeCells, visitCells } from "../cell-areas";
import { type Property, readBlocks } from "./read";
import type { CellRef } from "../port";

/** Answers keyed by the cell objects that the caller passed. */
export type CellAnswers = ReadonlyMap<CellRef, unknown>;

export async function askCells(
  context: Excel.RequestContext,
  cells: readonly CellRef[],
  property: Property,
): Promise<CellAnswers> {
  const wanted = new Map(cells.map((ref) => [cellKey(ref), ref]));
  const answers = new Map<CellRef, unknown>();
  await readBlocks(context, { blocks: mergeCells(cells), property }, (part, found) => {
    visitCells(part, found, (answer, at) => {
      const ref = wanted.get(cellKey(at));
      if (ref) answers.set(ref, answer);
    });
  });
  return answers;
}
