/**
 * INV formulas that Excel read before it knew INV, because another program wrote the file or INV started late. They show #NAME? until
 * somebody enters them again (office-js 6355 and 6611). INV only finds them: it doesn't write into cells that it didn't create.
 */
import type { CellRegister } from "../../cells/cell-register";
import { cellKey } from "../addresses";
import { areasAround, visitCells } from "../cell-areas";
import { isError, isErrorName } from "../cell-content";
import { findInvFormulas } from "../formula-search";
import type { FormulaCell, Workbook } from "../port";
import { invCellAt } from "../register-cells";

/** Returns the cells with an INV formula that INV has never calculated and that show #NAME?, or an error that INV can't translate. */
export async function findNameErrors(
  workbook: Workbook,
  register: CellRegister,
): Promise<readonly FormulaCell[]> {
  const cells = (await findInvFormulas(workbook)).filter(
    (cell) => (invCellAt(register, cell)?.recalculation ?? 0) === 0,
  );
  const shown = new Set<string>();
  const areas = areasAround(cells);
  const contents = await workbook.contentsOf(areas);
  for (const [index, area] of areas.entries()) {
    visitCells(area, contents[index] ?? [], (content, ref) => {
      if (isError(content) && (content.error === "#NAME?" || !isErrorName(content.error))) {
        shown.add(cellKey(ref));
      }
    });
  }
  return cells.filter((cell) => shown.has(cellKey(cell)));
}
