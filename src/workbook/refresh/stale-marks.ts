/**
 * Recalculates the cells that mark stale values (`INV.STATUS` with its last argument TRUE) after a refresh. Skips cells with items
 * that INV knows nothing about, so that nothing is sent.
 */
import { isHistory } from "../../domain/query-keys";
import type { Query } from "../../domain/records";
import { queriesOf } from "../../cells/cell-record";
import { invFunctionsIn } from "../../formula/calls";
import { cellKey } from "../addresses";
import type { CellRef } from "../port";
import { invCellAt } from "../register-cells";
import { placeOf, type RefreshContext, type StaleMark } from "./targets";

/** @param found the marks of the refreshed scope; marks elsewhere count too, if this session has calculated them */
export async function recalculateStaleMarks(
  { workbook, cells, engine }: Pick<RefreshContext, "workbook" | "cells" | "engine">,
  found: readonly StaleMark[],
): Promise<void> {
  const environmentId = engine.connection?.environment.id ?? null;
  const asksNobody = (query: Query): boolean =>
    isHistory(query) ||
    engine.cachedItem(query) !== undefined ||
    cells.unansweredOf(environmentId, query) !== null;
  const marks = new Map<string, CellRef>();
  for (const { target, queries } of found) {
    const place = placeOf(target);
    if (queries.every(asksNobody)) marks.set(cellKey(place), place);
  }
  for (const place of await registeredMarks()) marks.set(cellKey(place), place);
  if (marks.size > 0) await workbook.recalculate([...marks.values()]);

  async function registeredMarks(): Promise<readonly CellRef[]> {
    if (![...cells.all()].some(({ isStaleMark }) => isStaleMark)) return [];
    // Search the workbook, because rows may have been inserted since the cells were calculated.
    const formulas = await workbook.findFormulas((formula) => invFunctionsIn(formula).includes("STATUS"));
    return formulas.filter((ref) => {
      const invCell = invCellAt(cells, ref);
      return (
        invCell?.isStaleMark === true && invCell.state !== "waiting" && queriesOf(invCell).every(asksNobody)
      );
    });
  }
}
