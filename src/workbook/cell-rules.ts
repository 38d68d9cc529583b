/**
 * Rules of conditional formats that people make without a formula, as formulas: greater than 12, between 1 and 3, contains "x".
 * A comparison in a formula treats blank cells and texts as such a rule does, so the same cells get the colour.
 */
import { areaAddress } from "./addresses";
import type { CellRef } from "./port";

export type Comparison = "=" | "<>" | ">" | "<" | ">=" | "<=" | "between" | "not between";

/** Returns the formula for the area's first cell. A value is a number, a quoted text or a formula, with or without `=`. */
export function comparisonFormula(
  first: Omit<CellRef, "sheet">,
  comparison: Comparison,
  [one, other = one]: readonly [string, string?],
): string {
  const cell = addressOf(first);
  const [low, high] = [asOperand(one), asOperand(other)];
  if (comparison === "between") return `=AND(${cell}>=${low},${cell}<=${high})`;
  if (comparison === "not between") return `=OR(${cell}<${low},${cell}>${high})`;
  return `=${cell}${comparison}${low}`;
}

export type TextComparison = "contains" | "not contains" | "begins with" | "ends with";

/** Does the same for rules about a part of the text, which ignore case as `SEARCH` does. */
export function textFormula(first: Omit<CellRef, "sheet">, comparison: TextComparison, text: string): string {
  const cell = addressOf(first);
  const quoted = quotedText(text);
  if (comparison === "begins with") return `=LEFT(${cell},LEN(${quoted}))=${quoted}`;
  if (comparison === "ends with") return `=RIGHT(${cell},LEN(${quoted}))=${quoted}`;
  const found = `SEARCH(${quoted},${cell})`;
  return comparison === "contains" ? `=ISNUMBER(${found})` : `=ISERROR(${found})`;
}

function quotedText(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function addressOf(first: Omit<CellRef, "sheet">): string {
  return areaAddress({ ...first, rows: 1, cols: 1 });
}

/** Puts a formula in brackets, so that its own operators come first. */
function asOperand(value: string): string {
  const bare = value.replace(/^\s*=/, "").trim();
  return /^(?:"(?:[^"]|"")*"|[-$\w.]+)$/.test(bare) ? bare : `(${bare})`;
}
