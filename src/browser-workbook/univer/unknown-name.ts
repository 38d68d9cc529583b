/**
 * Why a cell shows #NAME?: which function or name of its formula there is not, and the nearest that there is. Text in
 * quotes and sheets count for nothing; what LET and LAMBDA name for themselves is not judged. Pure.
 */

export interface KnownNames {
  readonly functions: Iterable<string>;
  /** Names that people gave. */
  readonly names: Iterable<string>;
}

const inert = /"(?:[^"]|"")*"|'(?:[^']|'')*'!?|\[[^\]]*\]/g;
const word = /(?<![\p{L}\p{N}_.$\\])[\p{L}_][\p{L}\p{N}_.]*(?![\p{L}\p{N}_.![])(?<call>\s*\()?/gu;
const cellOrColumn = /^(?:[A-Z]{1,3}\d{1,7}|[A-Z]{1,3}|TRUE|FALSE)$/i;
/** More typing errors than these are none. */
const mostTypos = 2;

/** Null where every word of the formula is known. */
export function reasonForName(formula: string, known: KnownNames): string | null {
  const functions = [...known.functions];
  const names = [...known.names];
  const bare = formula.replace(inert, (match) => (match.startsWith("[") ? "[" : " "));
  const hasOwnNames = /(?<![\p{L}\p{N}_.])(?:LET|LAMBDA)\s*\(/iu.test(bare);
  for (const match of bare.matchAll(word)) {
    const isCall = match.groups?.["call"] !== undefined;
    const text = match[0].replace(/\s*\($/, "");
    if (isCall ? hasOwnNames && !text.includes(".") : hasOwnNames || cellOrColumn.test(text)) continue;
    if (isIn(text, names) || (isCall && isIn(text, functions))) continue;
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
