/** The INV function that a formula is about, for "help on this function". */
import type { Clock } from "../engine/clock";
import { invFunctionsIn } from "../formula/calls";
import type { Workbook } from "./port";
import { selectedAreas } from "./selected-areas";

/**
 * Its id in small letters, `qty`; null for none. Of a formula that is being typed the last function counts, where
 * the caret most likely stands; of one that stands in a cell the first.
 */
export function functionIn(formula: string, which: "first" | "last"): string | null {
  const names = invFunctionsIn(formula);
  return (which === "first" ? names[0] : names.at(-1))?.toLowerCase() ?? null;
}

/** That of the selected cell; null without a workbook. Rejects where no cell is selected. */
export async function functionAtSelection(workbook: Workbook | null, clock: Clock): Promise<string | null> {
  if (workbook === null) return null;
  const [{ sheet, row, col }] = await selectedAreas(workbook, clock);
  const [[formula] = []] = await workbook.read({ sheet, row, col, rows: 1, cols: 1 }, "formulas");
  return functionIn(String(formula ?? ""), "first");
}
