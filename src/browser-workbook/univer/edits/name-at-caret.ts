/** The beginning of a function's name that stands before the caret of a formula. Pure. */
import { isMark, tokensOf } from "../../../formula/tokens";

export interface NameAtCaret {
  readonly name: string;
  /** Where it begins. */
  readonly from: number;
}

/** Null where there is none: in no formula, in a text, after anything else. */
export function nameAtCaret(text: string, caret: number): NameAtCaret | null {
  if (!text.startsWith("=")) return null;
  const tokens = tokensOf(text.slice(0, caret));
  const [before, last] = [tokens.at(-2), tokens.at(-1)];
  if (last === undefined || !/^[\p{L}_]/u.test(last.text)) return null;
  // A part of a reference, such as `A1:B` or `Plan!C`; a function may be called like a cell, such as LOG10.
  const isPart = before?.kind === "sheet" || isMark(before, ":") || before?.kind === "unknown";
  const isName = last.kind === "name" || (last.kind === "cells" && !last.text.includes(":"));
  return isName && !isPart ? { name: last.text, from: last.at } : null;
}
