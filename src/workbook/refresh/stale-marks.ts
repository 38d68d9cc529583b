/**
 * Calculates the cells that mark stale values again when a refresh has ended, however it ended: `INV.STATUS` with its last
 * argument TRUE. They say what INV knows by then. Only those whose items INV knows something about are calculated, so that
 * nothing is sent; no other cell is touched.
 */
import { itemsOf } from "../../cells/cell-record";
import type { CellRegister, CellUse } from "../../cells/cell-register";
import type { Engine } from "../../engine/types";
import { invFunctionsIn } from "../../formula/calls";
import { cellAddresses } from "../addresses";
import type { FormulaCell, Workbook } from "../port";

export interface StaleMarksOptions {
  readonly workbook: Pick<Workbook, "findFormulas" | "recalculate">;
  readonly cells: CellRegister;
  readonly engine: Pick<Engine, "cachedItem">;
}

export async function recalculateStaleMarks({ workbook, cells, engine }: StaleMarksOptions): Promise<void> {
  if (!hasStaleMarks(cells)) return;
  // Rows may have been inserted since the cells were calculated, so the workbook says where they are.
  const found = await workbook.findFormulas((formula) => invFunctionsIn(formula).includes("STATUS"));
  const marks = found.filter((ref) => {
    const use = useAt(ref);
    return use?.isStaleMark === true && use.state !== "waiting" && asksNobody(use);
  });
  if (marks.length > 0) await workbook.recalculate(marks);

  function useAt(ref: FormulaCell): CellUse | undefined {
    const [address, otherSpelling] = cellAddresses(ref);
    return cells.get(address) ?? cells.get(otherSpelling);
  }

  function asksNobody(use: CellUse): boolean {
    return itemsOf(use).every(
      (query) =>
        engine.cachedItem(query) !== undefined || cells.unanswered(use.environmentId, query) !== null,
    );
  }
}

function hasStaleMarks(cells: CellRegister): boolean {
  for (const { isStaleMark } of cells.all()) if (isStaleMark) return true;
  return false;
}
