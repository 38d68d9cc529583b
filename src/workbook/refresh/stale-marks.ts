/**
 * After every refresh, recalculates the cells that mark stale values (`INV.STATUS` with its last argument TRUE). Skips cells
 * with items that INV knows nothing about, so that nothing is sent.
 */
import { itemsOf } from "../../cells/cell-record";
import type { CellRegister, InvCell } from "../../cells/cell-register";
import type { Engine } from "../../engine/types";
import { invFunctionsIn } from "../../formula/calls";
import { invCellAt } from "../register-cells";
import type { Workbook } from "../port";

export async function recalculateStaleMarks({
  workbook,
  cells,
  engine,
}: {
  readonly workbook: Pick<Workbook, "findFormulas" | "recalculate">;
  readonly cells: CellRegister;
  readonly engine: Pick<Engine, "cachedItem">;
}): Promise<void> {
  if (!hasStaleMarks(cells)) return;
  // Search the workbook, because rows may have been inserted since the cells were calculated.
  const found = await workbook.findFormulas((formula) => invFunctionsIn(formula).includes("STATUS"));
  const marks = found.filter((ref) => {
    const invCell = invCellAt(cells, ref);
    return invCell?.isStaleMark === true && invCell.state !== "waiting" && asksNobody(invCell);
  });
  if (marks.length > 0) await workbook.recalculate(marks);

  function asksNobody(invCell: InvCell): boolean {
    return itemsOf(invCell).every(
      (query) =>
        engine.cachedItem(query) !== undefined || cells.unansweredOf(invCell.environmentId, query) !== null,
    );
  }
}

function hasStaleMarks(cells: CellRegister): boolean {
  for (const { isStaleMark } of cells.all()) if (isStaleMark) return true;
  return false;
}
