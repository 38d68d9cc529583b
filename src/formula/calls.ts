/**
 * The calls of a formula with their arguments, the names that LET and LAMBDA give, and INV's functions. In files Excel
 * spells a call of a custom function that it doesn't know `_xldudf_INV_QTY(`, and puts `[2]!` before it where another
 * add-in loaded first, or another program wrote the file (office-js issues 5611 and 2568).
 * Invariant: the time to find calls and names grows with the formula's length, because people get formulas from others.
 */
import { isSymbol, respelled, type Token, tokensOf } from "./tokens";

export interface FormulaCall {
  /** In capitals, without the prefixes of files. */
  readonly name: string;
  /** Indexes of tokens: the name, the parentheses, and each argument from `from` up to, but not including, `to`. */
  readonly nameIndex: number;
  readonly open: number;
  readonly close: number;
  readonly arguments: readonly { readonly from: number; readonly to: number }[];
}

/** Returns all calls, nested ones too, in the order in which they end. */
export function callsIn(tokens: readonly Token[]): readonly FormulaCall[] {
  const calls: FormulaCall[] = [];
  const opened: { nameIndex: number; open: number; starts: number[] }[] = [];
  const close = (at: number): void => {
    const ended = opened.pop();
    const name = tokens[ended?.nameIndex ?? -1];
    if (ended === undefined || name === undefined) return;
    const { nameIndex, open, starts } = ended;
    const list = starts.map((from, index) => ({ from, to: (starts[index + 1] ?? at + 1) - 1 }));
    const isEmpty = afterSpace(tokens, open + 1) >= at;
    calls.push({ name: plainName(name.text), nameIndex, open, close: at, arguments: isEmpty ? [] : list });
  };
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "symbol") continue;
    if (token.text === "(" || token.text === "{") {
      let before = index - 1;
      while (tokens[before]?.kind === "space") before -= 1;
      const isCall = token.text === "(" && tokens[before]?.kind === "name";
      opened.push({ nameIndex: isCall ? before : -1, open: index, starts: [index + 1] });
    } else if (token.text === ")" || token.text === "}") close(index);
    else if (token.text === ",") opened.at(-1)?.starts.push(index + 1);
  }
  while (opened.length > 0) close(tokens.length);
  return calls;
}

/** Blanks that follow each other are one token. */
function afterSpace(tokens: readonly Token[], index: number): number {
  return tokens[index]?.kind === "space" ? index + 1 : index;
}

/** Returns the trimmed text of each argument. */
export function argumentTexts(tokens: readonly Token[], call: FormulaCall): readonly string[] {
  return call.arguments.map(({ from, to }) =>
    tokens
      .slice(from, to)
      .map(({ text }) => text)
      .join("")
      .trim(),
  );
}

/** Returns the call that is the whole formula; null for any other formula. */
export function onlyCall(
  formula: string,
): { readonly name: string; readonly texts: readonly string[] } | null {
  const tokens = tokensOf(formula.trim());
  const call = callsIn(tokens).at(-1);
  if (call?.nameIndex !== 1 || call.close !== tokens.length - 1 || !isSymbol(tokens[0], "=")) return null;
  return { name: call.name, texts: argumentTexts(tokens, call) };
}

/** Returns a name in capitals, without the prefixes of files. */
export function plainName(text: string): string {
  return text.replace(/^(?:_xl(?:fn|ws|pm|eta|udf)\.)+/i, "").toUpperCase();
}

/** A name that LET or LAMBDA gives. It counts from a token on, up to the end of its call. */
interface GivenName {
  readonly name: string;
  readonly usedFrom: number;
  readonly close: number;
}

/**
 * Returns the indexes of the names that LET and LAMBDA give, where these are given and where they are used. A name of LET
 * counts after its own value, a name of LAMBDA after its parameter.
 */
function ownNames(tokens: readonly Token[], calls: readonly FormulaCall[]): ReadonlySet<number> {
  const localNames = new Set<number>();
  const givenNames: GivenName[] = [];
  for (const { name: callee, arguments: given, close } of calls) {
    if (callee !== "LET" && callee !== "LAMBDA") continue;
    for (const [order, { from, to }] of given.slice(0, -1).entries()) {
      if (callee === "LET" && order % 2 === 1) continue;
      const index = afterSpace(tokens, from);
      const only = tokens[index];
      const name = only === undefined || afterSpace(tokens, index + 1) !== to ? null : parameterName(only);
      if (name === null) continue;
      localNames.add(index);
      givenNames.push({ name, usedFrom: callee === "LET" ? (given[order + 1]?.to ?? to) : to, close });
    }
  }
  if (givenNames.length === 0) return localNames;
  givenNames.sort((one, other) => other.usedFrom - one.usedFrom);
  /** Where each name that counts stops doing so. */
  const ends = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    for (let next = givenNames.at(-1); next?.usedFrom === index; next = givenNames.at(-1)) {
      ends.set(next.name, Math.max(ends.get(next.name) ?? 0, next.close));
      givenNames.pop();
    }
    const isTable = tokens[index + 1]?.kind === "brackets" || tokens[index - 1]?.kind === "sheet";
    if (token.kind === "name" && !isTable && index < (ends.get(plainName(token.text)) ?? 0)) {
      localNames.add(index);
    }
  }
  return localNames;
}

/** A function, a defined name, a value such as TRUE, or a name that LET or LAMBDA gives. */
export interface Name {
  readonly token: Token;
  readonly isCalled: boolean;
  /** Whether LET or LAMBDA gives it. */
  readonly isOwn: boolean;
}

/** Yields the names of a formula in their order, without those of tables. */
export function* namesIn(tokens: readonly Token[], calls = callsIn(tokens)): Iterable<Name> {
  const localNames = ownNames(tokens, calls);
  const called = new Set(calls.map(({ nameIndex }) => nameIndex));
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "name" || tokens[index + 1]?.kind === "brackets") continue;
    yield { token, isCalled: called.has(index), isOwn: localNames.has(index) };
  }
}

const invName = /^(?:INV\.|_xldudf_INV_)([A-Z][A-Z0-9_.]*)$/i;

/** Returns `QTY` for `INV.QTY` and `_xldudf_INV_QTY`; null for any other name. */
export function invFunctionNamed(name: string): string | null {
  return invName.exec(name)?.[1]?.toUpperCase() ?? null;
}

/**
 * Returns INV's functions in a formula, called or passed to MAP and BYROW by name. A defined name such as `INV.TOTAL` counts
 * as one too: a needless recalculation costs little, but a cell that is never recalculated keeps an old number.
 */
export function invFunctionsIn(formula: string): readonly string[] {
  if (!formula.startsWith("=") || !/INV[._]/i.test(formula)) return [];
  return definedNamesIn(formula)
    .map(invFunctionNamed)
    .filter((name) => name !== null);
}

/** @param formula as the workbook spells it; text without `=` at its start calls no function */
export function isInvFormula(formula: string): boolean {
  return invFunctionsIn(formula).length > 0;
}

/** Returns the names in a formula that the workbook may define, as the formula spells them. */
export function definedNamesIn(formula: string): readonly string[] {
  if (!formula.startsWith("=")) return [];
  return [...namesIn(tokensOf(formula))].filter(({ isOwn }) => !isOwn).map(({ token }) => token.text);
}

/** An optional parameter is in brackets. */
function parameterName({ kind, text }: Token): string | null {
  if (kind === "name") return plainName(text);
  return kind === "brackets" && /^\[\s*[\p{L}_\\][\p{L}\p{M}\p{N}_.\\?]*\s*\]$/u.test(text)
    ? plainName(text.slice(1, -1).trim())
    : null;
}

/** Spells INV's functions as people write them, not as files do; the rest stays as it is. */
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
