/**
 * Why a cell shows #NAME?: which function or name of its formula there is not, and the nearest that there is. Text in
 * quotes and sheets count for nothing; what LET and LAMBDA name for themselves is not judged. Pure.
 */
import { nearestOf } from "../../domain/typos";
import { callsIn, namesIn } from "../../formula/calls";
import { tokensOf } from "../../formula/tokens";

export interface KnownNames {
  readonly functions: Iterable<string>;
  /** Names that people gave. */
  readonly names: Iterable<string>;
}

/** Null where every word of the formula is known. */
export function reasonForName(formula: string, known: KnownNames): string | null {
  const functions = [...known.functions];
  const names = [...known.names];
  const tokens = tokensOf(formula);
  const calls = callsIn(tokens);
  const called = new Set(calls.map(({ nameIndex }) => tokens[nameIndex]));
  for (const token of namesIn(tokens, calls)) {
    const { text } = token;
    const isCall = called.has(token);
    // A column's letters are the beginning of a reference such as `A:B`, which is still being typed.
    if (!isCall && /^(?:[A-Z]{1,3}|[A-Z]{1,3}\d{1,7}|TRUE|FALSE)$/i.test(text)) continue;
    if (isIn(text, names) || isIn(text, functions)) continue;
    return isCall
      ? `There is no function ${text.toUpperCase()}.${didYouMean(text, [...functions, ...names])}`
      : `Nothing in this workbook has the name ${text}.${didYouMean(text, names)}`;
  }
  return null;
}

function isIn(text: string, all: readonly string[]): boolean {
  return all.some((each) => each.toLowerCase() === text.toLowerCase());
}

function didYouMean(text: string, all: readonly string[]): string {
  const nearest = nearestOf(text, all);
  return nearest === null ? "" : ` Did you mean ${nearest}?`;
}
