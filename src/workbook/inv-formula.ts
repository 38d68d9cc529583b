/**
 * What the text of a formula tells: its calls, and what a refresh may conclude from what the cell shows. A text is read once by each
 * reader: finding, asking and comparing all need it, and a sheet has 100,000.
 */
import { callsIn, type FormulaCall, invFunctionNamed, namesIn } from "../formula/calls";
import { isSymbol, type Token, tokensOf } from "../formula/tokens";

export interface InvFormula {
  readonly tokens: readonly Token[];
  readonly calls: readonly FormulaCall[];
  /** The names of INV's functions in it, called or passed to MAP and BYROW by name. */
  readonly functions: readonly string[];
  /** Whether only the text tells what the formula needs today: it has several INV calls, or TODAY(). */
  readonly isReadFromText: boolean;
  /** Whether Excel may calculate it without calling INV, also when somebody empties a cell. */
  readonly isChoosing: boolean;
  /** Whether the cell shows what its only INV call returned. `unless #N/A` means within IFNA. */
  readonly showsResult: "always" | "unless #N/A" | null;
}

export type ReadFormula = (text: string) => InvFormula;

/** Returns a reader that remembers every text. Keep it for one search or one refresh. */
export function createFormulaReader(): ReadFormula {
  const read = new Map<string, InvFormula>();
  return (text) => {
    let formula = read.get(text);
    if (formula === undefined) read.set(text, (formula = readFormula(text)));
    return formula;
  };
}

const choosing: ReadonlySet<string> = new Set(["IF", "IFS", "SWITCH", "CHOOSE"]);

function readFormula(text: string): InvFormula {
  const tokens = tokensOf(text);
  const calls = callsIn(tokens);
  const functions: string[] = [];
  for (const { token, isOwn } of namesIn(tokens, calls)) {
    const name = isOwn ? null : invFunctionNamed(token.text);
    if (name !== null) functions.push(name);
  }
  const invCalls = calls.filter(({ name }) => invFunctionNamed(name) !== null);
  return {
    tokens,
    calls,
    functions,
    isReadFromText: invCalls.length > 1 || calls.some(({ name }) => name === "TODAY" || name === "NOW"),
    isChoosing: calls.some(({ name }) => choosing.has(name)),
    showsResult: invCalls.length === 1 && functions.length === 1 ? shownResult(tokens, calls) : null,
  };
}

function shownResult(tokens: readonly Token[], calls: readonly FormulaCall[]): InvFormula["showsResult"] {
  const outer = calls.at(-1);
  if (outer === undefined || !isSymbol(tokens[0], "=")) return null;
  if (outer.nameIndex !== 1 || outer.close !== tokens.length - 1) return null;
  if (invFunctionNamed(outer.name) !== null) return "always";
  const [first] = outer.arguments;
  const isWhole = calls.some(
    ({ name, nameIndex, close }) =>
      invFunctionNamed(name) !== null && nameIndex === first?.from && close === first.to - 1,
  );
  return outer.name === "IFNA" && isWhole ? "unless #N/A" : null;
}
