/**
 * Respells what a person types as a formula in the way the grid reads it: commas between arguments, and a point for decimals.
 * `=INV.QTY(A2;B2)*1,19` is read so where the system writes decimals with a comma. A formula that could be read in two ways
 * stays as it is, and the check of formulas refuses it with the reason.
 */
import { isSymbol, respelled, type Token, tokensOf } from "../../formula/tokens";
import type { LocaleFormat } from "./locale-format";

export function readTypedFormula(formula: string, { decimal }: LocaleFormat): string {
  const tokens = tokensOf(formula);
  const nesting = nestingOf(tokens);
  const isSeparator = (at: number, symbol: string) => isSymbol(tokens[at], symbol) && nesting[at] !== "array";
  const hasSemicolons = tokens.some((_, at) => isSeparator(at, ";"));
  const decimals = decimal === "," ? decimalCommas(tokens, nesting) : new Set<number>();
  if (!hasSemicolons) {
    // Between arguments a comma may be either. Outside all parentheses it can only be a decimal one.
    const isDecimal = (at: number) => decimals.has(at) && nesting[at] === "top";
    return respelled(tokens, (_, at) => (isDecimal(at) ? "." : undefined));
  }
  const isAmbiguous = tokens.some((token, at) => {
    if (isSymbol(token, ",")) return nesting[at] === "array" ? decimal === "," : !decimals.has(at);
    return decimal === "," && token.kind === "number" && /^\d{1,3}\.\d{3}$/.test(token.text);
  });
  if (isAmbiguous) return formula;
  return respelled(tokens, (_, at) => {
    if (decimals.has(at)) return ".";
    return isSeparator(at, ";") ? "," : undefined;
  });
}

type Nesting = "top" | "brackets" | "array";

function nestingOf(tokens: readonly Token[]): readonly Nesting[] {
  let [brackets, braces] = [0, 0];
  return tokens.map((token) => {
    if (isSymbol(token, "{")) braces += 1;
    if (isSymbol(token, "(")) brackets += 1;
    const inside = braces > 0 ? "array" : brackets > 0 ? "brackets" : "top";
    if (isSymbol(token, "}")) braces -= 1;
    if (isSymbol(token, ")")) brackets -= 1;
    return inside;
  });
}

/** Commas between the digits of a number. */
function decimalCommas(tokens: readonly Token[], nesting: readonly Nesting[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [at, token] of tokens.entries()) {
    const isFraction = found.has(at - 2);
    if (!isSymbol(token, ",") || nesting[at] === "array" || isFraction) continue;
    if (isWhole(tokens[at - 1]) && isWhole(tokens[at + 1])) found.add(at);
  }
  return found;
}

function isWhole(token: Token | undefined): boolean {
  return token?.kind === "number" && /^\d+$/.test(token.text);
}
