/**
 * Whether a formula that comes from elsewhere (a template, an opened file, a paste) reaches outside the workbook: to another
 * file, a program, the network or another add-in. A function that INV does not know to stay inside is refused, because Excel
 * gets new functions, and another add-in's may do anything.
 */
import { callsIn, invFunctionNamed, ownNames, plainName } from "./calls";
import { insideFunctions, readingFunctions } from "./excel-functions";
import { isOfAnotherBook, sheetNamed } from "./references";
import { isMark, longestFormula, type Notation, type Token, tokensOf } from "./tokens";

/** What the formula may name beside functions of Excel and INV. */
export interface Surroundings {
  readonly notation?: Notation;
  /** A defined name, which may be a LAMBDA. */
  isName?(name: string): boolean;
  isSheet?(name: string): boolean;
}

const anotherFile = "the formula refers to another file or program";

/** Refused also where a formula gives their name to something of its own: Excel may call the function. */
const fetching =
  /^(?:WEBSERVICE|FILTERXML|IMAGE|HYPERLINK|RTD|CALL|REGISTER(?:\.ID)?|EXEC|EVALUATE|CUBE[A-Z]+|STOCKHISTORY|SQL\.REQUEST|TRANSLATE|DETECTLANGUAGE|IMPORT[A-Z]+|COPILOT|PY|FIELDVALUE)$/;

/** Why, in words that can follow the formula's place; null where it stays inside the workbook. */
export function reachingOut(formula: string, surroundings: Surroundings = {}): string | null {
  if (formula.length > longestFormula) return `the formula is longer than ${longestFormula} characters`;
  const tokens = tokensOf(formula, surroundings.notation);
  const calls = callsIn(tokens);
  const called = new Set(calls.map(({ nameIndex }) => nameIndex));
  const own = ownNames(tokens, calls);
  for (const [index, token] of tokens.entries()) {
    if (namesFile(tokens, index, surroundings)) return anotherFile;
    if (token.kind !== "name" || tokens[index + 1]?.kind === "brackets") continue;
    const name = plainName(token.text);
    if (fetching.test(name)) return `${name} reaches outside the workbook`;
    const isKnown = insideFunctions.has(name) || readingFunctions.has(name) || own.has(index);
    if (isKnown || invFunctionNamed(token.text) !== null || surroundings.isName?.(token.text)) continue;
    // Another name shows #NAME? at worst, but one with a dot may be another add-in's function, handed to MAP.
    if (called.has(index) || name.includes(".")) {
      return `${name} is not among the functions that stay inside the workbook`;
    }
  }
  const indirect = calls.filter(({ name }) => name === "INDIRECT");
  const isSpelledOut = indirect.some(({ open, close }) => tokens.slice(open, close).some(isFileText));
  return isSpelledOut ? anotherFile : null;
}

/**
 * The same of a text that may become a formula where it is typed, pasted or imported: spreadsheets skip blanks before it, and
 * take other signs than `=` too (owasp.org, "CSV Injection"). A label such as "- it's total (net)" is no formula.
 */
export function reachingOutAsTyped(text: string, surroundings: Surroundings = {}): string | null {
  const [, sign = "", rest = ""] = /^\s*([=+\-@\uff1d\uff0b\uff0d\uff20])(.+)$/s.exec(text) ?? [];
  const formula = `=${rest}`;
  if (rest === "" || /[=\uff1d]/.test(sign)) return rest === "" ? null : reachingOut(formula, surroundings);
  const isLabel = tokensOf(formula).some((token) => token.kind === "unknown" && token.text !== "|");
  return isLabel ? null : reachingOut(formula, { isName: (name) => !name.includes(".") });
}

function namesFile(tokens: readonly Token[], index: number, { isSheet }: Surroundings): boolean {
  const token = tokens[index];
  if (token?.kind === "unknown") return true;
  if (token?.kind === "name") return token.text.includes("\\\\");
  if (token?.kind === "brackets") return /\.xl|https?:|\|/i.test(token.text);
  if (token?.kind === "mark") return token.text === "/" && isMark(tokens[index + 1], "/");
  if (token?.kind !== "sheet") return false;
  const sheet = sheetNamed(token.text);
  const isProgram = sheet.includes("|") && isSheet?.(sheet) !== true;
  return isOfAnotherBook(token.text) || isProgram || /\.(?:xl\w{1,3}|csv|ods)$/i.test(sheet);
}

function isFileText({ kind, text }: Token): boolean {
  return kind === "text" && /[[\]|\\/]|\.xl/i.test(text);
}
