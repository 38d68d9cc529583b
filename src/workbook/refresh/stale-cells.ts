/**
 * Lists the stale cells: those of the register, and those that the last refresh got no answer for and this session hasn't calculated.
 * These show the values of the file, and a refresh marks them only when their answers are there. Cells that the host refuses to
 * calculate aren't stale: the service wasn't asked in vain.
 */
import type { CellRegister, InvCell } from "../../cells/cell-register";
import { cellsWithLastAnswer } from "../../cells/unanswered-items";
import { type InvError, isUnanswered } from "../../domain/errors";
import { addressIn, cellAddresses } from "../addresses";
import type { Refresher } from "./refresh";

export interface StaleCell {
  readonly address: string;
  readonly because: InvError;
  /** Null if this session hasn't calculated the cell. */
  readonly invCell: InvCell | null;
}

export function staleCells(cells: CellRegister, { state }: Pick<Refresher, "state">): readonly StaleCell[] {
  const own = cellsWithLastAnswer(cells).flatMap((invCell) => {
    const { address, unansweredBecause: because } = invCell;
    return because === null ? [] : [{ address, because, invCell }];
  });
  const isKnown = (address: string): boolean => cells.get(address) !== undefined;
  const others = state.left.filter(
    ({ cell, because }) => isUnanswered(because.code) && !cellAddresses(cell).some(isKnown),
  );
  return [
    ...own,
    ...others.map(({ cell, because }) => ({ address: addressIn(isKnown, cell), because, invCell: null })),
  ];
}
