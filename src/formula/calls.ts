/**
 * The calls of a formula with their arguments, the names that LET and LAMBDA give, and which words are functions of INV. Excel
 * spells a custom function `_xldudf_INV_QTY(` in files, with `[2]!` before it where another add-in got in between
 * (office-js issues 5611 and 2568).
 */
import { beside, isMark, type Token, tokensOf } from "./tokens";

export interface Call {
  /** In capitals, without the prefixes that files have. */
  readonly name: string;
  /** Places in the list of tokens: its name, its parentheses, each argument from `from` to before `to`. */
  readonly nameIndex: number;
  readonly open: number;
  readonly close: number;
  readonly arguments: readonly { readonly from: number; readonly to: number }[];
}

/** Nested ones included, in the order in which they end. */
export function callsIn(tokens: readonly Token[]): readonly Call[] {
  const calls: Call[] = [];
  const opened: { nameIndex: number; open: number; starts: number[] }[] = [];
  const close = (at: number): void => {
    const ended = opened.pop();
    const name = tokens[ended?.nameIndex ?? -1];
    if (ended === undefined || name === undefined) return;
    const { nameIndex, open, starts } = ended;
    const list = starts.map((from, index) => ({ from, to: (starts[index + 1] ?? at + 1) - 1 }));
    const isEmpty = tokens.slice(open + 1, at).every(({ kind }) => kind === "space");
    calls.push({ name: plainName(name.text), nameIndex, open, close: at, arguments: isEmpty ? [] : list });
  };
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "mark") continue;
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

/** The text of each argument, without the space around it. */
export function argumentTexts(tokens: readonly Token[], call: Call): readonly string[] {
  return call.arguments.map(({ from, to }) =>
    tokens
      .slice(from, to)
      .map(({ text }) => text)
      .join("")
      .trim(),
  );
}

/** The one call that the formula consists of; null for any other formula. */
export function onlyCall(
  formula: string,
): { readonly name: string; readonly texts: readonly string[] } | null {
  const tokens = tokensOf(formula.trim());
  const call = callsIn(tokens).at(-1);
  if (call?.nameIndex !== 1 || call.close !== tokens.length - 1 || !isMark(tokens[0], "=")) return null;
  return { name: call.name, texts: argumentTexts(tokens, call) };
}

/** A name as people spell it, in capitals. */
export function plainName(text: string): string {
  return text.replace(/^(?:_xl(?:fn|ws|pm|eta|udf)\.)+/i, "").toUpperCase();
}

/**
 * Which tokens are names that LET and LAMBDA give, where they are given and where they are used. In LET a name counts
 * after its own value, in LAMBDA from the list of parameters on.
 */
export function ownNames(tokens: readonly Token[], calls: readonly Call[]): ReadonlySet<number> {
  const own = new Set<number>();
  for (const { name: callee, arguments: given, close } of calls) {
    if (callee !== "LET" && callee !== "LAMBDA") continue;
    for (const [order, { from, to }] of given.slice(0, -1).entries()) {
      if (callee === "LET" && order % 2 === 1) continue;
      const [only, ...others] = wordsBetween(tokens, from, to);
      const name = only === undefined || others.length > 0 ? null : parameterName(only.token);
      if (only === undefined || name === null) continue;
      own.add(only.index);
      const usedFrom = callee === "LET" ? (given[order + 1]?.to ?? to) : to;
      for (let index = usedFrom; index < close; index += 1) {
        const token = tokens[index];
        const isTable = tokens[index + 1]?.kind === "brackets" || tokens[index - 1]?.kind === "sheet";
        if (token?.kind === "name" && !isTable && plainName(token.text) === name) own.add(index);
      }
    }
  }
  return own;
}

/** What may be a function, a defined name or a value in a formula: no table, no name of LET or LAMBDA. */
export function* namesIn(tokens: readonly Token[], calls = callsIn(tokens)): Iterable<Token> {
  const own = ownNames(tokens, calls);
  for (const [index, token] of tokens.entries()) {
    const isTable = beside(tokens, index, 1)?.kind === "brackets";
    if (token.kind === "name" && !isTable && !own.has(index)) yield token;
  }
}

const invName = /^(?:INV\.|_xldudf_INV_)([A-Z][A-Z0-9_.]*)$/i;

/** `QTY` for `INV.QTY` and `_xldudf_INV_QTY`; null for any other name. */
export function invFunctionNamed(name: string): string | null {
  return invName.exec(name)?.[1]?.toUpperCase() ?? null;
}

/**
 * The functions of INV in a formula, called or handed to MAP and BYROW by their bare name. Where it cannot be told (a
 * defined name `INV.TOTAL` as an argument) it is taken for one: a needless recalculation costs little, a forgotten one leaves an
 * old number.
 */
export function invFunctionsIn(formula: string): readonly string[] {
  if (!formula.startsWith("=") || !/INV[._]/i.test(formula)) return [];
  return Array.from(namesIn(tokensOf(formula)), ({ text }) => invFunctionNamed(text)).filter(
    (name) => name !== null,
  );
}

/** @param formula as the workbook spells it, with its `=`; anything else has no function */
export function isInvFormula(formula: string): boolean {
  return invFunctionsIn(formula).length > 0;
}

/** The names in a formula that the workbook may define, as they are spelled. */
export function definedNamesIn(formula: string): readonly string[] {
  return formula.startsWith("=") ? Array.from(namesIn(tokensOf(formula)), ({ text }) => text) : [];
}

function wordsBetween(tokens: readonly Token[], from: number, to: number) {
  return tokens
    .slice(from, to)
    .map((token, offset) => ({ token, index: from + offset }))
    .filter(({ token }) => token.kind !== "space");
}

/** Of a parameter; an optional one is in brackets. */
function parameterName({ kind, text }: Token): string | null {
  if (kind === "name") return plainName(text);
  return kind === "brackets" && /^\[\s*[\p{L}_\\][\p{L}\p{M}\p{N}_.\\?]*\s*\]$/u.test(text)
    ? plainName(text.slice(1, -1).trim())
    : null;
}
