/**
 * Reads a formula as tokens, in a time that grows with its length. Every character belongs to one token, so the texts of all tokens are the formula again.
 * Characters that Excel would refuse become `unknown`. A sheet's name is a token of its own.
 */
import { areaOfCells } from "./cells";

const kinds = [
  /** In quotation marks. Without a closing mark it ends with the formula. */
  "text",
  /** `Plan!`, `'North|South'!`, `[1]Plan!`, `Jan:Dec!`, with the exclamation mark. */
  "sheet",
  "error",
  /** References without their sheet. */
  "cells",
  /** `[@Store]`, after a table's name or alone, with inner brackets. */
  "brackets",
  "number",
  /** Functions, defined names, tables, TRUE and FALSE. */
  "name",
  "space",
  /** Operators, parentheses, braces and separators. */
  "symbol",
  "unknown",
] as const;

export interface Token {
  readonly kind: (typeof kinds)[number];
  readonly text: string;
  /** Its index in the formula. */
  readonly at: number;
}

/** Excel's limit (documented). A longer text is one unknown token. */
export const longestFormula = 8_192;

const word = String.raw`[\p{L}_\\][\p{L}\p{M}\p{N}_.\\?]*`;
const sheetWord = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_.]*`;
const cellsEnd = String.raw`(?![\p{L}\p{M}\p{N}_(!\\?]|\.(?!:))`;
const cell = String.raw`\$?[A-Za-z]{1,3}\$?\d{1,7}`;
const colon = String.raw`\.?:\.?`;
const cells = `(?:${cell}${colon}${cell}|${String.raw`\$?[A-Za-z]{1,3}${colon}\$?[A-Za-z]{1,3}|\$?\d{1,7}${colon}\$?\d{1,7}`}|${cell})${cellsEnd}`;

/** One group for each kind, in their order. */
function pattern(ofCells: string): RegExp {
  const groups = [
    `"(?:[^"]|"")*"?`,
    String.raw`'[^']*(?:''[^']*)*'!|\[[^\][]*\]!|(?:\[[^\][]*\])?${sheetWord}(?::${sheetWord})?!`,
    String.raw`#(?:N\/A|REF!|VALUE!|DIV\/0!|NUM!|NULL!|NAME\?|SPILL!|CALC!|BUSY!|GETTING_DATA|FIELD!|BLOCKED!|CONNECT!|EXTERNAL!)`,
    ofCells,
    String.raw`\[(?:[^[\]']|'.|\[(?:[^[\]']|'.)*\])*\]`,
    String.raw`\d+(?:\.\d*)?(?:E[+-]?\d+)?|\.\d+(?:E[+-]?\d+)?`,
    word,
    String.raw`\s+`,
    String.raw`${colon}|<=|>=|<>|[-+*/^&=<>%@#,;(){}]`,
    // What opens without an end is one token, so that nothing is read twice.
    String.raw`'[^']*(?:''[^']*)*'?|\[(?:[^[\]']|'.|\[(?:[^[\]']|'.)*\])*|[^]`,
  ];
  return new RegExp(groups.map((group) => `(${group})`).join("|"), "giuy");
}

const withCells = pattern(cells);
const withoutCells = pattern("(?!)");

/** @param formula with its `=` or without */
export function tokensOf(formula: string): readonly Token[] {
  if (formula.length > longestFormula) return [{ kind: "unknown", text: formula, at: 0 }];
  const tokens: Token[] = [];
  for (let at = 0; at < formula.length;) {
    let token = tokenAt(withCells, formula, at);
    if (token.kind === "cells" && areaOfCells(token.text) === null) {
      token = tokenAt(withoutCells, formula, at);
    }
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

/** Joins the tokens again, each as `spell` spells it. */
export function respelled(
  tokens: readonly Token[],
  spell: (token: Token, index: number) => string | undefined,
): string {
  return tokens.map((token, index) => spell(token, index) ?? token.text).join("");
}

export function isSymbol(token: Token | undefined, text: string): boolean {
  return token?.kind === "symbol" && token.text === text;
}

function tokenAt(from: RegExp, formula: string, at: number): Token {
  from.lastIndex = at;
  const groups: readonly (string | undefined)[] = from.exec(formula) ?? [];
  const group = groups.findIndex((each, index) => index > 0 && each !== undefined);
  // The last group matches any character.
  return { kind: kinds[group - 1] ?? "unknown", text: groups[0] ?? formula.slice(at), at };
}
