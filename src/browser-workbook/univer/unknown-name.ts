/**
 * Why a cell shows #NAME?: which function or name of its formula there is not, and the nearest that there is. Text in
 * quotes and sheets count for nothing; what LET and LAMBDA name for themselves is not judged. Pure.
 */
import { callsIn, namesIn } from "../../formula/calls";
import { tokensOf } from "../../formula/tokens";

export interface KnownNames {
  readonly functions: Iterable<string>;
  /** Names that people gave. */
  readonly names: Iterable<string>;
}

/** More typing errors than these are none. */
const mostTypos = 2;

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
      ? `There is no function ${text.toUpperCase()}.${nearestOf(text, [...functions, ...names])}`
      : `Nothing in this workbook has the name ${text}.${nearestOf(text, names)}`;
  }
  return null;
}

function isIn(text: string, all: readonly string[]): boolean {
  return all.some((each) => each.toLowerCase() === text.toLowerCase());
}

function nearestOf(text: string, all: readonly string[]): string {
  let nearest: string | null = null;
  let fewest = mostTypos + 1;
  for (const each of all) {
    const typos = typosBetween(text.toLowerCase(), each.toLowerCase());
    if (typos < fewest) [nearest, fewest] = [each, typos];
  }
  return nearest === null ? "" : ` Did you mean ${nearest}?`;
}

/** Letters to change, add or leave out (Levenshtein's distance). */
function typosBetween(one: string, other: string): number {
  let line = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [row, letter] of Array.from(one).entries()) {
    const next = [row + 1];
    for (const [col, against] of Array.from(other).entries()) {
      const changed = (line[col] ?? 0) + (letter === against ? 0 : 1);
      next.push(Math.min(changed, (line[col + 1] ?? 0) + 1, (next[col] ?? 0) + 1));
    }
    line = next;
  }
  return line.at(-1) ?? 0;
}
