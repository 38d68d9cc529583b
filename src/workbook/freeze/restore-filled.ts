/**
 * Cells that a thaw has told as left alone stay as they were: in a Table, Excel fills a column's formula over
 * what stands in its other cells when one of them gets a formula (office-js issues 5909, 6745 and 2093). They are
 * read again, and what a person had typed is written back.
 */
import { cellKey } from "../addresses";
import type { Area, CellContent, Workbook } from "../port";
import { readAreas, writeAreas } from "./blocks";
import { isFormula } from "./freeze";

/** One cell that was left, as it was read before anything was written. */
export interface LeftCell {
  readonly area: Area;
  readonly content: CellContent;
}

export async function restoreFilled(workbook: Workbook, left: readonly LeftCell[]): Promise<void> {
  const now = await readAreas(
    workbook,
    left.map(({ area }) => area),
    "formulas",
  );
  const filled = left.filter(({ area }) => isFormula(now.get(cellKey(area))?.[0]?.[0]));
  if (filled.length === 0) return;
  await writeAreas(
    filled.map(({ area, content }) => ({ area, cells: [[content]] })),
    (area, cells) => workbook.writeText(area, cells),
  );
}
