/**
 * Marks a template that is being built: a sentence in the first cell of its sheet, which the final content replaces at the end.
 * So a later start can remove an unfinished sheet. The mark is not a setting, because saving settings clears Excel's undo list
 * (reported, office-js 3141), and some workbooks accept no settings.
 */
import type { CellValue, Workbook } from "../port";

const sentence =
  "INV is building this sheet. If this stays, the sheet is not whole, and INV takes it away again.";

/** Writes the mark; it must be the sheet's first content. */
export async function markHalfMade(workbook: Workbook, sheet: string): Promise<void> {
  await workbook.write(firstCellOf(sheet), [[sentence]]);
}

/** Replaces the mark with the first cell's own content, when the sheet is complete. */
export async function finish(workbook: Workbook, sheet: string, content: CellValue): Promise<void> {
  await workbook.write(firstCellOf(sheet), [[content]]);
}

/** A marked sheet, and how many of its cells are filled. */
export interface HalfMade {
  readonly sheet: string;
  readonly cells: number;
}

/**
 * Finds marked sheets. An active build, in another window or a colleague's, looks like an interrupted one; only time tells them
 * apart.
 */
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
 * Deletes those of the sheets in `before` whose number of filled cells hasn't changed: their builds were interrupted. Call it
 * long after finding them. Resolves with the names of the deleted sheets.
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
