/**
 * The mark that a template is being built: a sentence in the first cell of its sheet, which gives way to what
 * belongs there when all the rest is done. So nothing half-made stays in a workbook, and nothing has to be saved:
 * saving settings would take Excel's undo away (reported, office-js 3141), and a workbook that takes no settings
 * could hold no template.
 */
import type { CellValue, Workbook } from "../port";

const sentence =
  "INV is building this sheet. If this stays, the sheet is not whole, and INV takes it away again.";

/** The sheet's first content. */
export async function markHalfMade(workbook: Workbook, sheet: string): Promise<void> {
  await workbook.write(firstCellOf(sheet), [[sentence]]);
}

/** It is whole: the first cell gets its own content. */
export async function finish(workbook: Workbook, sheet: string, content: CellValue): Promise<void> {
  await workbook.write(firstCellOf(sheet), [[content]]);
}

/** A sheet that bears the mark, and how far it is filled. */
export interface HalfMade {
  readonly sheet: string;
  readonly cells: number;
}

/** A build that goes on, in another window or a colleague's, looks as one that was cut off: only time tells them apart. */
export async function findHalfMade(workbook: Workbook): Promise<readonly HalfMade[]> {
  const found: HalfMade[] = [];
  for (const { name, isProtected } of await workbook.sheets()) {
    if (isProtected) continue;
    const [[content] = []] = await workbook.read(firstCellOf(name), "formulas");
    if (content !== sentence) continue;
    const used = await workbook.usedArea(name);
    found.push({ sheet: name, cells: used === null ? 0 : used.rows * used.cols });
  }
  return found;
}

/**
 * Takes away, of the sheets that were found a good while ago, those into which nothing more has come: their builds
 * were cut off. Resolves with their names.
 */
export async function removeHalfMade(
  workbook: Workbook,
  before: readonly HalfMade[],
): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const { sheet, cells } of await findHalfMade(workbook)) {
    if (!before.some((each) => each.sheet === sheet && each.cells === cells)) continue;
    await workbook.deleteSheet(sheet);
    removed.push(sheet);
  }
  return removed;
}

function firstCellOf(sheet: string) {
  return { sheet, row: 0, col: 0, rows: 1, cols: 1 };
}
