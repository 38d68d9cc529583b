/**
 * Names for new sheets. Excel allows 31 characters without `[ ] : * ? / \` and without apostrophes at the ends. A name must be
 * unique, ignoring letter case, and must not be "History".
 */

/** Of a sheet's name. */
export const mostLetters = 31;

/** Returns the name in a form that Excel allows, with a number added if a sheet already has it. */
export function freeSheetName(name: string, namesInUse: readonly string[]): string {
  const used = new Set([...namesInUse, "History"].map((each) => each.toLowerCase()));
  const allowed =
    cut(name.replace(/[[\]:*?/\\\p{Cc}]/gu, " ").replace(/^[\s']+/, ""), mostLetters) || "Sheet";
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? "" : ` ${number}`;
    const candidate = cut(allowed, mostLetters - ending.length) + ending;
    if (!used.has(candidate.toLowerCase())) return candidate;
  }
}

/** Cuts no pair of surrogates, such as an emoji, in two: Excel refuses half of one. */
export function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\s'\ud800-\udbff]+$/, "");
}
