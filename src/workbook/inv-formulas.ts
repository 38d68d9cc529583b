/**
 * Which formulas hold an INV function: nested, in any letter case, handed to MAP or BYROW by its bare
 * name, or in the spelling `_xldudf_INV_QTY(` under which Excel stores custom functions in a file.
 * Text, sheet names, tables and columns that merely look like one do not count. Where it cannot be told
 * (a defined name `INV.TOTAL` as an argument), it says yes: a needless recalculation costs little, a
 * forgotten one leaves an old number.
 */
import { outsideTexts } from "./formula-text";

/** Text, quoted sheet names and bracketed table or workbook references, in which nothing is a call. */
const inert = /"(?:[^"]|"")*"|'(?:[^']|'')*'|(\[)(?:[^[\]']|'.|\[(?:[^[\]']|'.)*\])*\]/gs;

/** Not followed by `!` (a sheet), `[` (a table) or more of a name. */
const call = /(?<![\p{L}\p{N}_.\\?])INV\.[A-Z][A-Z0-9_.]*(?![\p{L}\p{N}_.\\?!]|\s*\[)/iu;
const storedCall = /(?<![\p{L}\p{N}])_xldudf_INV_[A-Z]/iu;

/** @param formula as the workbook spells it, with its `=`; anything else holds no function */
export function isInvFormula(formula: string): boolean {
  if (!formula.startsWith("=") || !/INV[._]/i.test(formula)) return false;
  const bare = formula.replace(inert, "$1 ");
  return call.test(bare) || storedCall.test(bare);
}

const identifier = /(?<![\p{L}\p{N}_.\\?])[\p{L}_\\][\p{L}\p{N}_.\\?]*(?![\p{L}\p{N}_.\\?!]|\s*\[)/gu;

/** What may be a function, a defined name or a reference in a formula, as it is spelt. */
export function* identifiersIn(formula: string): Iterable<string> {
  if (!formula.startsWith("=")) return;
  for (const [found] of formula.replace(inert, "$1 ").matchAll(identifier)) yield found;
}

const stored = /(?:\[\d+\]!)?_xldudf_INV_(?=[A-Z])/gi;

/**
 * The formula with INV's functions as people write them, wherever it has the spelling of files
 * (`_xldudf_INV_QTY(`, with `[2]!` before it where another add-in got in between; office-js 5611 and 2568).
 */
export function asPeopleRead(formula: string): string {
  return outsideTexts(formula, (part) => part.replaceAll(stored, "INV."));
}
