/**
 * The one check that decides what the browser workbook's grid can't calculate as Excel does. The grid shows an error for most of what it
 * doesn't know. This check finds the formulas for which it would show a number that is wrong or never changes, and adds reasons that
 * say what to write instead, where an error alone would be a riddle. `inspectFormula` reads only the text, so its result can be kept;
 * `problemIn` compares it with the workbook.
 */
import { callsIn, namesIn, plainName } from "./calls";
import { fetchingFunctions } from "./outside-access";
import { sheetNamed } from "./references";
import { isSymbol, longestFormula, type Token, tokensOf } from "./tokens";

export interface FormulaProblem {
  readonly error: "#NAME?" | "#REF!" | "#VALUE!";
  readonly reason: string;
}

export interface InspectedFormula {
  /** What is wrong in any workbook. */
  readonly problem: FormulaProblem | null;
  /** Functions that it calls, in capitals. */
  readonly functions: readonly string[];
  /** Names that it doesn't call, as it spells them. */
  readonly names: readonly string[];
  readonly sheets: readonly string[];
}

/** The workbook, seen from the formula's cell. */
export interface GridSurroundings {
  /** @param name in capitals */
  isFunction(name: string): boolean;
  /** The formula of a defined name, with its `=`; null if there is no such name. */
  formulaOf(name: string): string | null;
  hasSheet(name: string): boolean;
  /** The sheet whose name differs only in upper and lower case; null if there is none. */
  alike(sheet: string): string | null;
}

export function inspectFormula(formula: string): InspectedFormula {
  const nothing = { functions: [], names: [], sheets: [] };
  if (formula.length > longestFormula) {
    return { problem: value(`A formula can have at most ${longestFormula} characters.`), ...nothing };
  }
  const tokens = tokensOf(formula);
  const problem = refusedIn(tokens);
  if (problem !== null) return { problem, ...nothing };
  const named = [...namesIn(tokens)].filter(({ isOwn }) => !isOwn);
  return {
    problem,
    functions: named.filter(({ isCalled }) => isCalled).map(({ token }) => token.text.toUpperCase()),
    names: named.filter(({ isCalled }) => !isCalled).map(({ token }) => token.text),
    sheets: tokens.filter(({ kind }) => kind === "sheet").map(({ text }) => sheetNamed(text)),
  };
}

/** Names that refer to names can refer to themselves. */
const maxNameDepth = 8;

/** Returns null if the grid can calculate the formula. */
export function problemIn(
  { problem, functions, names, sheets }: InspectedFormula,
  surroundings: GridSurroundings,
  depth = 0,
): FormulaProblem | null {
  if (problem !== null) return problem;
  const missing = sheets.find((sheet) => !surroundings.hasSheet(sheet));
  if (missing !== undefined) {
    const alike = surroundings.alike(missing);
    const hint = alike === null ? "" : ` Upper and lower case matter here: write ${alike}.`;
    return { error: "#REF!", reason: `There is no sheet "${missing}" in this workbook.${hint}` };
  }
  for (const name of [...functions, ...names]) {
    const formula = surroundings.formulaOf(name);
    if (formula !== null) {
      const found = depth < maxNameDepth && problemIn(inspectFormula(formula), surroundings, depth + 1);
      if (found) return { ...found, reason: `${name} stands for ${formula}. ${found.reason}` };
    } else if (functions.includes(name)) {
      if (!surroundings.isFunction(name)) return unknownFunction(name);
    } else if (!/^(?:TRUE|FALSE)$/i.test(name)) {
      return surroundings.isFunction(name.toUpperCase())
        ? value(`A function as an argument (${name}) isn't available here. Write LAMBDA(x,${name}(x)).`)
        : unknown(`${name} isn't known here. No function, cell or name of this workbook is called that.`);
    }
  }
  return null;
}

function unknownFunction(name: string): FormulaProblem {
  return fetchingFunctions.test(plainName(name))
    ? unknown(`${name} reaches outside the workbook. That isn't available here.`)
    : unknown(`${name} isn't known here. This workbook uses English function names.`);
}

const ofSheets = "Its value would stay when sheets are added, moved or deleted.";

/**
 * Functions that depend on cells, sheets and names that the grid doesn't see, each with the rest of the reason. They
 * would keep their values when these change or go.
 */
const unfollowed: ReadonlyMap<string, string> = new Map([
  ["INDIRECT", "Name the cells, or choose among them with INDEX or CHOOSE."],
  ["SHEET", ofSheets],
  ["SHEETS", ofSheets],
]);

const decimalHint = "Use commas between arguments and a point for decimals.";

/** The first part of a formula that the grid would calculate differently, wherever it is. */
function refusedIn(tokens: readonly Token[]): FormulaProblem | null {
  const called = new Set(callsIn(tokens).map(({ nameIndex }) => nameIndex));
  let [braces, parentheses] = [0, 0];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (braces > 0 && (kind === "cells" || kind === "sheet" || called.has(at))) {
      return value("An array in braces can contain only numbers and texts here.");
    }
    if (kind === "cells" && /^\$?\d+:/.test(text)) {
      return value(`Whole rows (${text}) aren't available here. Name their columns too, such as A1:Z3.`);
    }
    if (kind === "number" && /e/i.test(text)) {
      return value(`Numbers such as ${text} aren't available in formulas here. Write all digits.`);
    }
    if (kind === "name" && called.has(at)) {
      const name = plainName(text);
      const rest = unfollowed.get(name);
      if (rest !== undefined) return value(`${name} isn't available here. ${rest}`);
      if (fetchingFunctions.test(name)) return unknownFunction(name);
    }
    if (kind !== "symbol") continue;
    braces += Number(text === "{") - Number(text === "}");
    parentheses += Number(text === "(") - Number(text === ")");
    if (text === "#") {
      const cells = tokens[at - 1]?.kind === "cells" ? tokens[at - 1]?.text : "A1";
      return value(`${cells}#, all cells that a formula fills, isn't available here. Name the cells.`);
    }
    // The grid follows a range with a function's result at one end, as in A1:INDEX(A:A,3).
    const isOfResult = isSymbol(tokens[at - 1], ")") || called.has(at + 1) || called.has(at + 2);
    if (text === ":" && !isOfResult) {
      return value("This range isn't available here. Write its first and its last cell, such as A1:B3.");
    }
    if (text === ";" && braces === 0) return value(semicolonReason(tokens));
    if (text === "," && braces === 0 && parentheses === 0) {
      return value(`A comma isn't available outside a function's arguments here. ${decimalHint}`);
    }
  }
  return null;
}

/** Other formulas with semicolons have been respelled before. */
function semicolonReason(tokens: readonly Token[]): string {
  const grouped = tokens.find(({ kind, text }) => kind === "number" && /^\d{1,3}\.\d{3}$/.test(text))?.text;
  if (grouped === undefined) {
    return `A semicolon isn't available between arguments here. ${decimalHint}`;
  }
  const [store, decimals] = [grouped.replace(".", ""), grouped.replace(".", ",")];
  return `${grouped} can be read in two ways. Write a store as ${store}, and a number with decimals as ${decimals}.`;
}

const value = (reason: string): FormulaProblem => ({ error: "#VALUE!", reason });
const unknown = (reason: string): FormulaProblem => ({ error: "#NAME?", reason });
