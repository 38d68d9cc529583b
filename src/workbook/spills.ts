/** Finds formulas that fill several cells, and those that fill a given cell or area. */
import type { CellRegister } from "../cells/cell-register";
import { contains, parseCellAddress } from "./addresses";
import { findInvFormulas } from "./formula-search";
import { addressesIn } from "./register-cells";
import type { Area, CellRef, FormulaExtent, Workbook } from "./port";

/** Finds spilled formulas among the registered cells above and to the left of a cell. */
export async function registeredSpills(
  workbook: Workbook,
  cells: CellRegister,
  to: CellRef,
): Promise<readonly FormulaExtent[]> {
  const refs = [...addressesIn(cells, [areaUpTo(to)])].map(parseCellAddress).filter((ref) => ref !== null);
  return spillsOf(workbook, refs);
}

/**
 * Finds spilled formulas in the sheet, including those that this session hasn't calculated, by reading the sheet's formulas.
 */
export async function otherSpills(workbook: Workbook, to: CellRef): Promise<readonly FormulaExtent[]> {
  return spillsOf(workbook, await findInvFormulas(workbook, [areaUpTo(to)]));
}

export function fillerOf(spills: readonly FormulaExtent[], at: CellRef): FormulaExtent | null {
  return spills.find((extent) => contains(extent, at)) ?? null;
}

/**
 * Finds the INV formulas outside an area that fill cells in it. Reads the sheet's formulas only if the register contains none,
 * and the area has no INV formula of its own.
 */
export async function spillsInto(
  { workbook, cells }: { readonly workbook: Workbook; readonly cells: CellRegister },
  area: Area,
  hasFormulas: boolean,
): Promise<readonly FormulaExtent[]> {
  const { sheet, row, col, rows, cols } = area;
  const last = { sheet, row: row + rows - 1, col: col + cols - 1 };
  const reachesIn = (spill: FormulaExtent): boolean =>
    !contains(area, spill) && spill.row + spill.rows > row && spill.col + spill.cols > col;
  const registered = (await registeredSpills(workbook, cells, last)).filter(reachesIn);
  if (registered.length > 0 || hasFormulas) return registered;
  return (await otherSpills(workbook, last)).filter(reachesIn);
}

async function spillsOf(workbook: Workbook, refs: readonly CellRef[]): Promise<readonly FormulaExtent[]> {
  if (refs.length === 0) return [];
  return (await workbook.extents(refs)).filter(({ rows, cols }) => rows * cols > 1);
}

/** Returns the area that a formula which fills this cell must be in: formulas fill cells below and to the right. */
function areaUpTo({ sheet, row, col }: CellRef): Area {
  return { sheet, row: 0, col: 0, rows: row + 1, cols: col + 1 };
}
