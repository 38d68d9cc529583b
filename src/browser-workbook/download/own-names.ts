/**
 * Names that a formula gives itself, by LET and LAMBDA: in a file they stand behind `_xlpm.`, where they are given and
 * where they are used, else Excel takes them for names of the workbook and shows #NAME? (as the authors of libxlsxwriter
 * and rust_xlsxwriter document it; ECMA-376 is older than both functions). A name counts from where Excel knows it: in
 * LET after its own value, in LAMBDA from the list of parameters on. Pure.
 */
import { respelled, withoutTexts } from "../../workbook/formula-text";

interface Scope {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const opening = /(?<![\p{L}\p{N}_.])(?<what>LET|LAMBDA)\s*\(/giu;
const word = /(?<![\p{L}\p{N}_.$!'\]\\?])[\p{L}_\\][\p{L}\p{N}_.\\?]*(?![\p{L}\p{N}_.\\?!'[])/gu;
const nameAlone = /^\s*\[?\s*([\p{L}_\\][\p{L}\p{N}_.\\?]*)\s*\]?\s*$/u;

/** The formula with its own names behind their prefix. */
export function withOwnNames(formula: string): string {
  const bare = withoutTexts(formula);
  const scopes = [...bare.matchAll(opening)].flatMap(({ index, 0: call, groups }) =>
    scopesOf(argumentsOf(bare, index + call.length), groups?.["what"]?.toUpperCase() === "LET"),
  );
  if (scopes.length === 0) return formula;
  return respelled(formula, word, (text, at) => {
    const name = text.toLowerCase();
    const isOwn = scopes.some((scope) => at >= scope.from && at < scope.to && scope.name === name);
    return isOwn ? `_xlpm.${text}` : text;
  });
}

interface Argument {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** LET gives a name and its value in turns, LAMBDA names alone; what is calculated stands last. */
function scopesOf(given: readonly Argument[], isLet: boolean): Scope[] {
  const end = given.at(-1)?.to ?? 0;
  return given.slice(0, -1).flatMap(({ text, from, to }, index) => {
    const name = isLet && index % 2 === 1 ? undefined : nameAlone.exec(text)?.[1]?.toLowerCase();
    if (name === undefined) return [];
    if (!isLet) return [{ name, from, to: end }];
    return [
      { name, from, to },
      { name, from: given[index + 1]?.to ?? to, to: end },
    ];
  });
}

/** Of a call whose parenthesis opened just before. */
function argumentsOf(bare: string, start: number): readonly Argument[] {
  const found: Argument[] = [];
  let depth = 0;
  let from = start;
  for (let at = start; at <= bare.length; at += 1) {
    const mark = bare[at] ?? ")";
    if ("({[".includes(mark)) depth += 1;
    else if (")}]".includes(mark)) depth -= 1;
    const isEnd = depth < 0;
    if (!isEnd && (mark !== "," || depth > 0)) continue;
    found.push({ text: bare.slice(from, at), from, to: at });
    if (isEnd) break;
    from = at + 1;
  }
  return found;
}
