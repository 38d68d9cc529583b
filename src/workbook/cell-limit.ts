/** The cells with INV formulas that a workbook with a limit doesn't calculate: what they show, and how the pane counts them. */
import type { CellRegister } from "../cells/cell-register";
import { InvError } from "../domain/errors";
import { count } from "../domain/number-words";
import { cellAddresses } from "./addresses";
import type { Workbook } from "./port";

/** What a cell beyond the limit shows. */
export function beyondLimitWords(maxCells: number): string {
  return `The browser workbook calculates at most ${count(maxCells)} cells with INV formulas. Give one formula ranges of stores and items, or use INV in Excel.`;
}

/** Counts the cells beyond the limit among the problems, because their functions are never called. */
export function countBeyondLimit(
  workbook: Pick<Workbook, "mostInvCells" | "onBeyondLimit">,
  cells: Pick<CellRegister, "begin" | "forget">,
): void {
  const error = new InvError("not-possible", beyondLimitWords(workbook.mostInvCells ?? 0));
  let counted: readonly string[] = [];
  workbook.onBeyondLimit((found) => {
    cells.forget(counted);
    counted = found.map((ref) => cellAddresses(ref)[0]);
    for (const address of counted) {
      const report = cells.begin(address, null);
      report.failed(error);
      report.settled();
    }
  });
}
