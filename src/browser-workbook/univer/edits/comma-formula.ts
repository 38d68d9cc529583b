/**
 * Converts formulas typed with semicolons between arguments, as in German Excel: `=INV.QTY(1234;"0001")`. If a
 * formula also contains commas, they may be decimal separators, so the person has to decide. Pure.
 */
import { isMark, respelled, type Token, tokensOf } from "../../../formula/tokens";

/** Returns the formula with commas between arguments. Without a semicolon it is unchanged; null if it is ambiguous. */
export function commaFormula(formula: string): string | null {
  const tokens = tokensOf(formula);
  /** Tokens in array constants, where a semicolon separates rows. */
  const arrays = new Set<Token>();
  let braces = 0;
  for (const token of tokens) {
    if (isMark(token, "{")) braces += 1;
    if (braces > 0) arrays.add(token);
    if (isMark(token, "}")) braces -= 1;
  }
  const is = (mark: string) => (token: Token) => isMark(token, mark) && !arrays.has(token);
  if (!tokens.some(is(";"))) return formula;
  return tokens.some(is(",")) ? null : respelled(tokens, (token) => (is(";")(token) ? "," : undefined));
}
