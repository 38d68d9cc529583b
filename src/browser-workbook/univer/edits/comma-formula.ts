/**
 * Formulas typed with semicolons between arguments, as German Excel has them: `=INV.QTY(1234;"0001")`. Where a formula
 * also has commas, those may be decimals, so it is left to the person. Pure.
 */
import { isMark, respelled, type Token, tokensOf } from "../../../formula/tokens";

/** With commas between arguments; the formula itself where it has no semicolon, null where it could mean two things. */
export function commaFormula(formula: string): string | null {
  const tokens = tokensOf(formula);
  /** In an array of values a semicolon separates rows. */
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
