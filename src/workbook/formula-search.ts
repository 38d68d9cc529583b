/**
 * Finding the INV formulas that stand in the workbook, and clearing the register of those that are gone.
 * Only a cell that can be read for certain as one without an INV formula is gone.
 */
import type { CellRegister, CellUse } from "../cells/cell-register";
import type { Clock } from "../engine/clock";
import { addressIn, cellKey, parseCellAddress } from "./addresses";
import { inTurns } from "./in-turns";
import { isInvFormula } from "./inv-formulas";
import type { Area, CellRef, FormulaCell, Workbook } from "./port";

export interface FormulaSearch {
  readonly workbook: Workbook;
  readonly cells: CellRegister;
  readonly clock: Clock;
}

/** A formula, and what the register has of it; undefined where it has not, and then most likely will at `address`. */
export interface Located {
  readonly ref: CellRef;
  readonly address: string;
  use: CellUse | undefined;
}

/**
 * Looks for INV formulas, everywhere or within these areas.
 * @param suspects addresses in the areas that may be gone, read when the answer has come
 */
export async function searchFormulas(
  { workbook, cells, clock }: FormulaSearch,
  suspects: () => Iterable<string>,
  within?: readonly Area[],
): Promise<readonly Located[]> {
  const found = await workbook.findFormulas(isInvFormula, within);
  const { located, known } = await locate({ cells, clock }, found);
  // As it mostly is: the register knows no more cells than stand.
  if (known === cells.summary().cells) return located;
  const standing = new Set(located.map(({ address }) => address));
  const missing = [...suspects()].filter((address) => !standing.has(address));
  if (missing.length > 0) forgetGone(cells, missing, found);
  return located;
}

/** Where the register knows these formulas, and how many of them it knows. */
export async function locate(
  { cells, clock }: Pick<FormulaSearch, "cells" | "clock">,
  found: readonly CellRef[],
): Promise<{ readonly located: readonly Located[]; readonly known: number }> {
  const located: Located[] = [];
  let known = 0;
  let use: CellUse | undefined;
  const isKnown = (address: string): boolean => (use = cells.get(address)) !== undefined;
  await inTurns(clock, found, (ref) => {
    const address = addressIn(isKnown, ref);
    if (use !== undefined) known += 1;
    // The register's own text, where there is one, so that the other need not be kept.
    located.push({ ref, address: use?.address ?? address, use });
  });
  return { located, known };
}

/** Only few addresses are left here, so reading them costs little. */
function forgetGone(cells: CellRegister, missing: readonly string[], found: readonly FormulaCell[]): void {
  const standing = new Set(found.map(cellKey));
  cells.forget(missing.filter((address) => isGone(address, standing)));
}

function isGone(address: string, standing: ReadonlySet<string>): boolean {
  const ref = parseCellAddress(address);
  return ref !== null && !standing.has(cellKey(ref));
}
