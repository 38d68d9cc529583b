/**
 * `A1#`, all that a formula has spilled, is in a file a call of `_xlfn.ANCHORARRAY` (the name is in Microsoft's list of
 * functions with the prefix; the sign is what people are shown). Both ways. Pure.
 */
import { withoutTexts } from "../../workbook/formula-text";

/** A cell or a name, and its sheet; quoted names of sheets are blotted out by then. */
const anchor = /(?<![\p{L}\p{N}_.$!\\])(?:[\p{L}\p{N}_.]+!)?\$?[\p{L}_\\][\p{L}\p{N}_.$\\]*#/gu;
const call = /(?:_xlfn\.)?ANCHORARRAY\((?<of>[^()]+)\)/giu;

/** @param formula with its `=` or without */
export function withAnchorCalls(formula: string): string {
  return replaced(formula, anchor, (text) => `_xlfn.ANCHORARRAY(${text.slice(0, -1)})`);
}

export function withAnchorSigns(formula: string): string {
  return replaced(formula, call, (text) => `${text.slice(text.indexOf("(") + 1, -1)}#`);
}

/** Found where no text stands, replaced as it is spelled. */
function replaced(formula: string, pattern: RegExp, spell: (text: string) => string): string {
  let from = 0;
  let spelled = "";
  for (const { index, 0: found } of withoutTexts(formula).matchAll(pattern)) {
    const to = index + found.length;
    spelled += formula.slice(from, index) + spell(formula.slice(index, to));
    from = to;
  }
  return spelled + formula.slice(from);
}
