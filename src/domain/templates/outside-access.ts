/**
 * Checks that a template's formula stays within the workbook. Templates are passed around, so the rule is stricter than for other
 * formulas: every word must be a known function of Excel or INV, a name that LET or LAMBDA defines, a cell, a sheet or a table.
 * Placeholders are read as what they become, and must not complete a word.
 */
import { invFunctionNamed, namesIn, plainName } from "../../formula/calls";
import { insideFunctions } from "../../formula/excel-functions";
import { findOutsideAccess } from "../../formula/outside-access";
import { respelled, tokensOf } from "../../formula/tokens";

const numberWords: ReadonlySet<string> = new Set(["row", "first", "last", "store", "item"]);
const rangeWords: ReadonlySet<string> = new Set(["stores", "items"]);
const completing =
  /(?<=[\p{L}\p{N}_.\\])\{(?!row\}|first\}|last\})[a-z][a-z0-9-]*\}|\{[a-z][a-z0-9-]*\}(?=[\p{L}_.(\\])/u;

/** Returns the fault, to follow its place in a sentence; null if the formula stays within the workbook. */
export function findOutsideAccessOfTemplate(formula: string): string | null {
  const bare = respelled(tokensOf(formula), ({ kind }) => (kind === "text" ? '""' : undefined));
  const completed = completing.exec(bare)?.[0];
  if (completed !== undefined) return `the placeholder ${completed} is within a word`;
  const read = bare.replaceAll(/\{([a-z][a-z0-9-]*)\}/g, (_all, word: string) => valueLike(word));
  return findOutsideAccess(read) ?? unknownWord(read);
}

function unknownWord(formula: string): string | null {
  for (const { token, isCalled, isOwn } of namesIn(tokensOf(formula))) {
    const { text } = token;
    const name = plainName(text);
    if (insideFunctions.has(name) || invFunctionNamed(text) !== null) continue;
    // A defined name of the workbook. Without an underscore it may be a function of Excel, now or later.
    if (!isCalled && (isOwn || /^[^_.\\?][^.\\?]*_[^.\\?]*$/.test(name))) continue;
    if (isOwn && (name.includes("_") || name.length === 1)) continue;
    return isOwn
      ? `${text} may be a function of Excel: a name that is called needs an underscore`
      : `${name} is not among the functions that a template may use`;
  }
  return null;
}

/** Returns a value of the kind that the placeholder becomes. */
function valueLike(word: string): string {
  if (numberWords.has(word)) return "1";
  return rangeWords.has(word) ? "A1" : "A";
}
