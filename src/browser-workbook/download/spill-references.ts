/**
 * `A1#`, all that a formula has spilled, is in a file a call of `_xlfn.ANCHORARRAY` (the name is in Microsoft's list of
 * functions with the prefix; the sign is what people are shown). Both ways. Pure.
 */
import { respelled } from "../../workbook/formula-text";

/** A cell or a name, and its sheet; quoted names of sheets are blotted out by then. */
const anchor = /(?<![\p{L}\p{N}_.$!\\])(?:[\p{L}\p{N}_.]+!)?\$?[\p{L}_\\][\p{L}\p{N}_.$\\]*#/gu;
const call = /(?:_xlfn\.)?ANCHORARRAY\([^()]+\)/giu;

/** @param formula with its `=` or without */
export function withAnchorCalls(formula: string): string {
  return respelled(formula, anchor, (text) => `_xlfn.ANCHORARRAY(${text.slice(0, -1)})`);
}

export function withAnchorSigns(formula: string): string {
  return respelled(formula, call, (text) => `${text.slice(text.indexOf("(") + 1, -1)}#`);
}
