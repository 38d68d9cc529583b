/**
 * Builds a new sheet, and shows it when it is complete. If that fails, it removes the sheet, because people would take a part for the
 * whole. Somebody may rename the sheet meanwhile, or add another of its name, so only the sheet's id counts. Widths come first: a column of dates that is too narrow shows `###`, and the browser workbook measures
 * every formatted row again at each width.
 */
import { InvError } from "../domain/errors";
import type { Area, CellContent, NewSheet, Workbook } from "./port";
import { styles } from "./templates/styles";
import { removeUnfinished } from "./unfinished-sheets";

export interface SheetPlan extends NewSheet {
  /** A number is added if the name is in use. */
  readonly name: string;
  /** Width of each column, from column A on. Undefined leaves the host's. */
  readonly widthsPx: readonly (number | undefined)[];
  /** Headings in row 1; none for a sheet without a list. */
  readonly header: readonly string[];
  /** The list below the headings. Every text stays text, even with `=` at its start. */
  readonly rows: readonly (readonly CellContent[])[];
  /** Writes what the list lacks, before the sheet is shown. Returns the area to select; null for A1. */
  furnish?(workbook: Workbook, sheetId: string): Promise<Area | null>;
}

/** Resolves with the sheet's name when all cells are written; values of formulas arrive later. */
export async function buildSheet(workbook: Workbook, plan: SheetPlan): Promise<string> {
  return workbook.step((step) => fillNewSheet(step, plan), { asOneUndo: true });
}

async function fillNewSheet(workbook: Workbook, plan: SheetPlan): Promise<string> {
  const sheet = await workbook.addSheet(plan.name, plan);
  try {
    await setWidths(workbook, sheet, plan.widthsPx);
    await writeList(workbook, sheet, plan);
    const shown = (await plan.furnish?.(workbook, sheet)) ?? null;
    const name = (await workbook.sheets()).find(({ id }) => id === sheet)?.name;
    if (name === undefined) throw deletedMeanwhile();
    // Excel on the web doesn't show a sheet in the batch that adds it (office-js 930), and selecting is a batch of its own.
    await workbook.select(shown ?? { sheet, row: 0, col: 0, rows: 1, cols: 1 });
    return name;
  } catch (error) {
    return await removeUnfinished(error, [plan.name], () => workbook.deleteSheet(sheet));
  }
}

function deletedMeanwhile(): InvError {
  return new InvError("not-possible", "Somebody deleted the new sheet while INV filled it. Try again.");
}

/** Sets equal widths of adjacent columns together. */
async function setWidths(
  workbook: Workbook,
  sheet: string,
  widthsPx: readonly (number | undefined)[],
): Promise<void> {
  for (let col = 0; col < widthsPx.length;) {
    const widthPx = widthsPx[col];
    const end = widthsPx.findIndex((each, index) => index > col && each !== widthPx);
    const cols = (end === -1 ? widthsPx.length : end) - col;
    if (widthPx !== undefined) await workbook.format({ sheet, row: 0, col, rows: 1, cols }, { widthPx });
    col += cols;
  }
}

async function writeList(workbook: Workbook, sheet: string, { header, rows }: SheetPlan): Promise<void> {
  const cols = header.length;
  if (cols === 0) return;
  const headings = { sheet, row: 0, col: 0, rows: 1, cols };
  await workbook.write(headings, [header], { asText: true });
  await workbook.format(headings, styles.header);
  if (rows.length > 0) {
    await workbook.write({ ...headings, row: 1, rows: rows.length }, rows, { asText: true });
  }
}
