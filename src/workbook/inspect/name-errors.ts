/**
 * INV formulas that show #NAME?. Excel didn't know INV when it read them: another program wrote the file, or INV started late.
 * Excel evaluates them again only when they are entered again (office-js 6355 and 6611). This file finds them and enters them
 * again, in the spelling that people read. If INV has already answered the formula's INV call, Excel knows INV, so another name
 * is unknown, and entering the formula again wouldn't help.
 */
import type { CellRegister } from "../../cells/cell-register";
import { definedNamesIn, fromStoredFunctions, invFunctionNamed, plainName } from "../../formula/calls";
import { insideFunctions } from "../../formula/excel-functions";
import { cellKey } from "../addresses";
import { areasAround, visitCells } from "../cell-areas";
import { isError } from "../cell-content";
import { correct, type CorrectionCounts } from "../corrections";
import { findInvFormulas } from "../formula-search";
import type { FormulaCell, Workbook } from "../port";
import { invCellAt } from "../register-cells";

export interface NameError extends FormulaCell {
  /** The name that Excel doesn't know; null if Excel didn't know INV when it read the formula. */
  readonly unknownName: string | null;
}

/** Returns the cells that show #NAME? and whose formula calls INV, directly or through a name. */
export async function findNameErrors(
  workbook: Workbook,
  register: CellRegister,
): Promise<readonly NameError[]> {
  const cells = await findInvFormulas(workbook);
  const shown = new Set<string>();
  const areas = areasAround(cells);
  const contents = await workbook.contentsOf(areas);
  for (const [index, area] of areas.entries()) {
    visitCells(area, contents[index] ?? [], (content, ref) => {
      if (isError(content) && content.error === "#NAME?") shown.add(cellKey(ref));
    });
  }
  const found = cells.filter((cell) => shown.has(cellKey(cell)));
  const names = new Set(
    found.length === 0 ? [] : (await workbook.names()).map(({ name }) => name.toUpperCase()),
  );
  return found.map((cell) => {
    const isAnswered = (invCellAt(register, cell)?.recalculation ?? 0) > 0;
    return { ...cell, unknownName: isAnswered ? unknownNameIn(cell.formula, names) : null };
  });
}

function unknownNameIn(formula: string, definedNames: ReadonlySet<string>): string | null {
  const isKnown = (name: string): boolean =>
    invFunctionNamed(name) !== null ||
    insideFunctions.has(plainName(name)) ||
    definedNames.has(name.toUpperCase());
  return definedNamesIn(formula).find((name) => !isKnown(name)) ?? null;
}

/** Skips cells that are on a protected sheet, in a shared array formula, or changed since they were found. */
export async function enterAgain(
  workbook: Workbook,
  cells: readonly FormulaCell[],
): Promise<CorrectionCounts> {
  const writable = await writableCells(workbook, cells);
  const entered = await correct(
    workbook,
    writable.map((cell) => ({ cell, from: cell.formula, to: fromStoredFunctions(cell.formula) })),
  );
  return { ...entered, skipped: cells.length - entered.cells };
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
