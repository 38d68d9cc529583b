/**
 * Converts formulas from the file's spelling to the grid's. If a formula reaches outside the workbook, the grid gets
 * its value instead. Pure.
 */
import { fromFile } from "../../formula/file-spelling";
import { reachingOut, type Surroundings } from "../../formula/reaching-out";
import { tokensOf } from "../../formula/tokens";

/**
 * Why a formula is left out: it reaches outside the workbook, or refers to columns of a table, which the grid doesn't
 * have.
 */
export type LeftOutReason = "outside" | "table";

/**
 * Returns the formula with its `=`, or the reason for leaving it out.
 * @param formula as the file has it, without `=`
 */
export function gridFormula(
  formula: string,
  surroundings: Surroundings,
): { readonly formula: string } | { readonly leftOut: LeftOutReason } {
  const spelled = `=${fromFile(formula)}`;
  if (reachingOut(spelled, surroundings) !== null) return { leftOut: "outside" };
  const tokens = tokensOf(spelled);
  const hasTable = tokens.some(
    ({ kind }, index) => kind === "brackets" && tokens[index - 1]?.kind === "name",
  );
  return hasTable ? { leftOut: "table" } : { formula: spelled };
}
