/**
 * Translates formulas to the spelling of files and back. Functions that are newer than the file format have a prefix there;
 * without it Excel shows #NAME? until the cell is entered again. Names that LET and LAMBDA give have one too (documented by
 * libxlsxwriter and rust_xlsxwriter). `A1#` becomes a call of ANCHORARRAY.
 */
import { argumentTexts, callsIn, invFunctionNamed, ownNames } from "./calls";
import { futureFunctions, futureFunctionsOfSheets } from "./future-functions";
import { isMark, respelled, type Token, tokensOf } from "./tokens";

const anchor = "ANCHORARRAY";

/** @param formula with its `=` or without */
export function spellForFile(formula: string): string {
  const tokens = tokensOf(formula);
  const calls = callsIn(tokens);
  const called = new Set(calls.map(({ nameIndex }) => nameIndex));
  const own = ownNames(tokens, calls);
  const spell = (index: number): string => {
    const { kind, text } = tokens[index] as Token;
    if (own.has(index)) {
      return kind === "name" ? `_xlpm.${text}` : text.replace(/^\[\s*/, (opening) => `${opening}_xlpm.`);
    }
    return called.has(index) && kind === "name" ? prefixOf(text) + text : text;
  };
  return respelled(tokens, ({ kind }, index) => {
    if (kind === "sheet" && isSpilled(tokens, index + 1)) return "";
    if (isSpilled(tokens, index)) {
      const before = tokens[index - 1];
      return `_xlfn.${anchor}(${before?.kind === "sheet" ? before.text : ""}${spell(index)})`;
    }
    return isMark(tokens[index], "#") && isSpilled(tokens, index - 1) ? "" : spell(index);
  });
}

/** @param formula with its `=` or without */
export function readFileSpelling(formula: string): string {
  const read = fromStoredFunctions(formula);
  const tokens = tokensOf(read).map((token) => ({ ...token, text: withoutPrefixes(token) }));
  const spelled = tokens.map(({ text }) => text);
  for (const call of callsIn(tokens)) {
    const [only, ...others] = argumentTexts(tokens, call);
    if (call.name !== anchor || only === undefined || others.length > 0) continue;
    spelled[call.nameIndex] = "";
    spelled[call.open] = "";
    spelled[call.close] = "#";
  }
  return spelled.join("");
}

/** Spells INV's functions as people write them; the rest keeps the spelling of files. */
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

function prefixOf(name: string): string {
  const plain = name.toUpperCase();
  if (futureFunctions.has(plain)) return "_xlfn.";
  return futureFunctionsOfSheets.has(plain) ? "_xlfn._xlws." : "";
}

function withoutPrefixes({ kind, text }: Token): string {
  const prefixes = /^(\[?\s*)(?:_xl(?:fn|ws|pm|eta|udf)\.)+/i;
  return kind === "name" || kind === "brackets" ? text.replace(prefixes, "$1") : text;
}

/** Whether the token is a cell or a name with `#` right after it. */
function isSpilled(tokens: readonly Token[], index: number): boolean {
  const kind = tokens[index]?.kind;
  return (kind === "cells" || kind === "name") && isMark(tokens[index + 1], "#");
}
