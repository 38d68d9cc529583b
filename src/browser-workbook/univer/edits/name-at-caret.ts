/** Finds the beginning of a function name before the caret of a formula. */
import { isSymbol, tokensOf } from "../../../formula/tokens";

/** Null outside a formula, inside a text, or after anything other than a name. */
export function nameAtCaret(text: string, caret: number) {
  if (!text.startsWith("=")) return null;
  const tokens = tokensOf(text.slice(0, caret));
  const [before, last] = [tokens.at(-2), tokens.at(-1)];
  if (last === undefined || !/^[\p{L}_]/u.test(last.text)) return null;
  // Parts of a reference are no function names: `A1:B`, `Plan!C`. But a function may look like a cell: LOG10.
  const isPart = before?.kind === "sheet" || isSymbol(before, ":") || before?.kind === "unknown";
  const isName = last.kind === "name" || (last.kind === "cells" && !last.text.includes(":"));
  return isName && !isPart ? { name: last.text, from: last.at } : null;
}
