/**
 * Recalculates the cells that only show since when others are stale (`INV.STATUS` with its last argument TRUE) after a refresh. Skips cells with items
 * that INV knows nothing about, so that nothing is sent.
 */
import { isHistory } from "../../domain/query-keys";
import type { Query } from "../../domain/records";
import { queriesOf } from "../../cells/cell-record";
import { invFunctionsIn } from "../../formula/calls";
import { cellKey } from "../addresses";
import type { CellRef } from "../port";
import { invCellAt } from "../register-cells";
import { placeOf, type AgeCell, type RefreshContext } from "./scopes";

/** @param found those of the refreshed scope; those elsewhere count too, if this session has calculated them */
export async function recalculateAgeCells(
  { workbook, cells, engine }: Pick<RefreshContext, "workbook" | "cells" | "engine">,
  found: readonly AgeCell[],
): Promise<void> {
  const asksNobody = (query: Query): boolean =>
    isHistory(query) || engine.cachedItem(query) !== undefined || engine.unanswered.because(query) !== null;
  const places = new Map<string, CellRef>();
  for (const cell of found) {
    const place = placeOf(cell);
    if (cell.queries.every(asksNobody)) places.set(cellKey(place), place);
  }
  for (const place of await registered()) places.set(cellKey(place), place);
  if (places.size > 0) await workbook.recalculate([...places.values()]);

  async function registered(): Promise<readonly CellRef[]> {
    if (![...cells.all()].some(({ isAgeCell }) => isAgeCell)) return [];
    // Search the workbook, because rows may have been inserted since the cells were calculated.
    const formulas = await workbook.findFormulas((formula) => invFunctionsIn(formula).includes("STATUS"));
    return formulas.filter((ref) => {
      const invCell = invCellAt(cells, ref);
      return (
        invCell?.isAgeCell === true && invCell.state !== "waiting" && queriesOf(invCell).every(asksNobody)
      );
    });
  }
}
