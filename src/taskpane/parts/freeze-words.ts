/** Words for what a freeze or thaw did. */
import type { FreezeReport } from "../../workbook/frozen-formulas/report";
import { counted } from "./words";

/** Returns `12 cells frozen. 3 left as they are: The sheet "Plan" is protected (3).` */
export function freezeWords({ cells, skipped }: FreezeReport, done: "frozen" | "thawed" | "kept"): string {
  const rest = skipped.reduce((sum, each) => sum + each.cells.length, 0);
  if (cells + rest === 0) {
    return done === "frozen" ? "No INV formulas to freeze here." : "No frozen formulas here.";
  }
  const reasons = skipped.map(({ reason, cells: found }) => `${reason} (${found.length})`).join("; ");
  return `${counted(cells, "cell")} ${done}.${rest === 0 ? "" : ` ${rest} left as they are: ${reasons}.`}`;
}
