/**
 * Formulas as a file spells them, made into what the grid calculates. A formula that reaches outside the workbook is not
 * taken: its value stands instead. Pure.
 */
import { fromFile } from "../../formula/file-spelling";
import { reachingOut, type Surroundings } from "../../formula/reaching-out";
import { tokensOf } from "../../formula/tokens";

/** Why a formula is not taken: it reaches outside the workbook, or to columns of a table, which the grid does not have. */
export type Untaken = "outside" | "table";

/** With its `=`, or why not. @param formula as the file has it, without `=` */
export function gridFormula(
  formula: string,
  surroundings: Surroundings,
): { readonly formula: string } | { readonly untaken: Untaken } {
  const spelled = `=${fromFile(formula)}`;
  if (reachingOut(spelled, surroundings) !== null) return { untaken: "outside" };
  const tokens = tokensOf(spelled);
  const hasTable = tokens.some(
    ({ kind }, index) => kind === "brackets" && tokens[index - 1]?.kind === "name",
  );
  return hasTable ? { untaken: "table" } : { formula: spelled };
}
