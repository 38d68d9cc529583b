/** Finds the INV function of a formula, for its help. */
import type { Clock } from "../engine/clock";
import { invFunctionsIn } from "../formula/calls";
import type { Workbook } from "./port";
import { selectedAreas } from "./selected-areas";

/**
 * Returns its id in small letters, `qty`; null without an INV function. Use `last` for a formula that is being typed, because the
 * caret is most likely there, and `first` for one in a cell.
 */
export function functionIn(formula: string, which: "first" | "last"): string | null {
  const names = invFunctionsIn(formula);
  return (which === "first" ? names[0] : names.at(-1))?.toLowerCase() ?? null;
}

/** Returns null without a workbook. Rejects if no cell is selected. */
export async function functionAtSelection(workbook: Workbook | null, clock: Clock): Promise<string | null> {
  if (workbook === null) return null;
  const [{ sheet, row, col }] = await selectedAreas(workbook, clock);
  const [[formula] = []] = await workbook.read({ sheet, row, col, rows: 1, cols: 1 }, "formulas");
  return functionIn(String(formula ?? ""), "first");
}
