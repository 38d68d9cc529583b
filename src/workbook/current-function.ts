/** Finds the INV function in a formula, to show its help. */
import type { Clock } from "../engine/clock";
import { invFunctionsIn } from "../formula/calls";
import type { Workbook } from "./port";
import { selectedAreas } from "./selected-areas";

/**
 * Returns the function's id in small letters, `qty`; null without an INV function. Use `last` for a formula that is being
 * typed, because the caret is probably there, and `first` for one in a cell.
 */
export function functionIn(formula: string, which: "first" | "last"): string | null {
  const names = invFunctionsIn(formula);
  return (which === "first" ? names[0] : names.at(-1))?.toLowerCase() ?? null;
}

/** Returns the function in the selected cell; null without a workbook. Rejects if no cell is selected. */
export async function functionAtSelection(workbook: Workbook | null, clock: Clock): Promise<string | null> {
  if (workbook === null) return null;
  const [{ sheet, row, col }] = await selectedAreas(workbook, clock);
  const [[formula] = []] = await workbook.read({ sheet, row, col, rows: 1, cols: 1 }, "formulas");
  return functionIn(String(formula ?? ""), "first");
}
