/**
 * The spelling in which Excel stores a call of an add-in's function that it doesn't know: `_xldudf_INV_QTY(A2)`, or
 * `[2]!_xldudf_INV_QTY(A2)` if another program wrote the file.
 */
import { invFunctionNamed } from "./calls";
import { respelled, type Token, tokensOf } from "./tokens";

/** Spells INV's functions as people write them; the rest stays as it is. */
export function fromStoredFunctions(formula: string): string {
  if (!/_xldudf_INV_/i.test(formula)) return formula;
  const tokens = tokensOf(formula);
  const isStored = (token: Token | undefined): boolean =>
    token?.kind === "name" && token.text.startsWith("_") && invFunctionNamed(token.text) !== null;
  return respelled(tokens, (token, index) => {
    if (isStored(token)) return `INV.${token.text.slice("_xldudf_INV_".length)}`;
    return /^\[\d+\]!$/.test(token.text) && isStored(tokens[index + 1]) ? "" : undefined;
  });
}
