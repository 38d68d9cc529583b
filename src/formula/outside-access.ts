/**
 * Finds out whether a formula from elsewhere (a template, a paste) reaches outside the workbook: to another file, a program,
 * the network or another add-in. Functions that INV doesn't know are refused, because Excel gets new ones, and those of other
 * add-ins may do anything.
 */
import { callsIn, invFunctionNamed, namesIn, plainName } from "./calls";
import { insideFunctions, readingFunctions } from "./excel-functions";
import { isOfAnotherBook, sheetNamed } from "./references";
import { isSymbol, longestFormula, type Token, tokensOf } from "./tokens";

const anotherFile = "the formula refers to another file or program";

/** Functions that are refused even as a name that LET gives, because Excel may call the function. */
export const fetchingFunctions =
  /^(?:WEBSERVICE|FILTERXML|IMAGE|HYPERLINK|RTD|CALL|REGISTER(?:\.ID)?|EXEC|EVALUATE|CUBE[A-Z]+|STOCKHISTORY|SQL\.REQUEST|TRANSLATE|DETECTLANGUAGE|IMPORT[A-Z]+|COPILOT|PY|FIELDVALUE)$/;

/** Returns the reason, to follow the formula's place in a sentence; null if the formula stays inside the workbook. */
export function findOutsideAccess(formula: string): string | null {
  return outsideAccess(formula, () => false);
}

/** @param isName whether a called name is no function */
function outsideAccess(formula: string, isName: (name: string) => boolean): string | null {
  if (formula.length > longestFormula) return `the formula is longer than ${longestFormula} characters`;
  const tokens = tokensOf(formula);
  if (tokens.some((_, index) => namesFile(tokens, index))) return anotherFile;
  const calls = callsIn(tokens);
  for (const { token, isCalled, isOwn } of namesIn(tokens, calls)) {
    const name = plainName(token.text);
    if (fetchingFunctions.test(name)) return `${name} reaches outside the workbook`;
    if (isOwn || insideFunctions.has(name) || readingFunctions.has(name)) continue;
    if (invFunctionNamed(token.text) !== null || isName(token.text)) continue;
    // Another name shows #NAME? at worst, but a name with a dot may be another add-in's function, handed to MAP.
    if (isCalled || name.includes(".")) {
      return `${name} is not among the functions that stay inside the workbook`;
    }
  }
  const fileTexts = [...tokens.keys()].filter((index) => isFileText(tokens[index]));
  let next = 0;
  // Calls are in the order of their ends.
  const isSpelledOut = calls.some(({ name, open, close }) => {
    while ((fileTexts[next] ?? close) < close) next += 1;
    return name === "INDIRECT" && (fileTexts[next - 1] ?? -1) > open;
  });
  return isSpelledOut ? anotherFile : null;
}

/**
 * Does the same for text that becomes a formula when somebody types, pastes or imports it: spreadsheets skip blanks at its start,
 * and accept other signs than `=` (owasp.org, "CSV Injection"). A label such as "- it's total (net)" is not a formula.
 */
export function findOutsideAccessAsTyped(text: string): string | null {
  const [, sign = "", rest = ""] = /^\s*([=+\-@\uff1d\uff0b\uff0d\uff20])(.+)$/s.exec(text) ?? [];
  const formula = `=${rest}`;
  if (rest === "" || /[=\uff1d]/.test(sign)) {
    return rest === "" ? null : findOutsideAccess(formula);
  }
  const isLabel = tokensOf(formula).some((token) => token.kind === "unknown" && token.text !== "|");
  return isLabel ? null : outsideAccess(formula, (name) => !name.includes("."));
}

function namesFile(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  if (token?.kind === "unknown") return true;
  if (token?.kind === "name") return token.text.includes("\\\\");
  if (token?.kind === "brackets") return /\.xl|https?:|\|/i.test(token.text);
  if (token?.kind === "symbol") return token.text === "/" && isSymbol(tokens[index + 1], "/");
  if (token?.kind !== "sheet") return false;
  const sheet = sheetNamed(token.text);
  return isOfAnotherBook(token.text) || sheet.includes("|") || /\.(?:xl\w{1,3}|csv|ods)$/i.test(sheet);
}

function isFileText(token: Token | undefined): boolean {
  return token?.kind === "text" && /[[\]|\\/]|\.xl/i.test(token.text);
}
