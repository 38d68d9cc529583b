/**
 * INV formulas that show #NAME?. Excel didn't know INV when it read them: another program wrote the file, or INV started late.
 * Excel evaluates them again only when they are entered again (office-js 6355 and 6611). This file finds them and enters them
 * again, in the spelling that people read. A formula with another unknown name still shows #NAME? afterwards, and is found
 * again.
 */
import { cellKey } from "../addresses";
import { areasAround, visitCells } from "../cell-areas";
import { isError } from "../cell-content";
import { correct, type CorrectionCounts } from "../corrections";
import { keepTableColumns } from "../frozen-formulas/table-columns";
import { fromStoredFunctions } from "../../formula/file-spelling";
import { findInvFormulas } from "../formula-search";
import type { FormulaCell, Workbook } from "../port";

/** Returns the cells that show #NAME? and whose formula calls INV, directly or through a name. */
export async function findNameErrors(workbook: Workbook): Promise<readonly FormulaCell[]> {
  const cells = await findInvFormulas(workbook);
  const shown = new Set<string>();
  const areas = areasAround(cells);
  const contents = await workbook.contentsOf(areas);
  for (const [index, area] of areas.entries()) {
    visitCells(area, contents[index] ?? [], (content, ref) => {
      if (isError(content) && content.error === "#NAME?") shown.add(cellKey(ref));
    });
  }
  return cells.filter((cell) => shown.has(cellKey(cell)));
}

/** Skips cells that are on a protected sheet, in a shared array formula, or changed since they were found. */
export async function enterAgain(
  workbook: Workbook,
  cells: readonly FormulaCell[],
  random: () => number,
): Promise<CorrectionCounts> {
  const writable = await writableCells(workbook, cells);
  const formulas = writable.map((cell) => fromStoredFunctions(cell.formula));
  const targets = writable.map(({ sheet, row, col }, index) => ({
    area: { sheet, row, col, rows: 1, cols: 1 },
    formula: formulas[index] ?? "",
  }));
  const entered = await keepTableColumns(workbook, { targets, random }, () =>
    correct(
      workbook,
      writable.map((cell, index) => ({ cell, from: cell.formula, to: formulas[index] ?? "" })),
    ),
  );
  return { cells: entered.cells, skipped: cells.length - entered.cells };
}

/** Returns the cells that can be written one by one. */
async function writableCells(
  workbook: Workbook,
  cells: readonly FormulaCell[],
): Promise<readonly FormulaCell[]> {
  const sheets = await workbook.sheets();
  const open = new Set(sheets.filter(({ isProtected }) => !isProtected).map(({ name }) => name));
  const onOpenSheets = cells.filter(({ sheet }) => open.has(sheet));
  const extents = await workbook.extents(onOpenSheets);
  return onOpenSheets.filter((_, index) => extents[index]?.isSharedArray === false);
}
