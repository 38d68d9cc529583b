/**
 * Finding the INV formulas that stand in the workbook, and clearing the register of those that are gone.
 * Only a cell that can be read for certain as one without an INV formula is gone.
 */
import type { CellRegister } from "../cells/cell-register";
import { cellKey, parseCellAddress } from "./addresses";
import { isInvFormula } from "./inv-formulas";
import type { Area, FormulaCell, Workbook } from "./port";

export interface FormulaSearch {
  readonly workbook: Workbook;
  readonly cells: CellRegister;
}

/**
 * Looks for INV formulas, everywhere or within these areas.
 * @param suspects addresses in the areas that may be gone, read when the answer has come
 */
export async function searchFormulas(
  { workbook, cells }: FormulaSearch,
  suspects: () => Iterable<string>,
  within?: readonly Area[],
): Promise<readonly FormulaCell[]> {
  const found = await workbook.findFormulas(isInvFormula, within);
  const standing = new Set(found.map(cellKey));
  cells.forget([...suspects()].filter((address) => isGone(address, standing)));
  return found;
}

function isGone(address: string, standing: ReadonlySet<string>): boolean {
  const ref = parseCellAddress(address);
  return ref !== null && !standing.has(cellKey(ref));
}
