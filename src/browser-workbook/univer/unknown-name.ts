/**
 * Why a cell shows #NAME?: which function or name of its formula there is not, and the nearest that there is. Text in
 * quotes and sheets count for nothing; what LET and LAMBDA name for themselves is not judged. Pure.
 */
import { nearestOf } from "../../domain/typos";
import { namesIn } from "../../formula/calls";
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
  for (const { token, isCalled, isOwn } of namesIn(tokensOf(formula))) {
    const { text } = token;
    if (isOwn) continue;
    // A column's letters are the beginning of a reference such as `A:B`, which is still being typed.
    if (!isCalled && /^(?:[A-Z]{1,3}|[A-Z]{1,3}\d{1,7}|TRUE|FALSE)$/i.test(text)) continue;
    if (isIn(text, names) || isIn(text, functions)) continue;
    return isCalled
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
