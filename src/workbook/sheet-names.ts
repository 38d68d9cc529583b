/**
 * Names for new sheets: Excel's limits (31 characters, no `[ ] : * ? / \`, no apostrophe at the ends,
 * unique in any letter case, not "History") and a number where the name is in use.
 */

const longest = 31;

/** The wanted name, made lawful, with a number behind it when a sheet of `taken` has it already. */
export function freeSheetName(wanted: string, taken: readonly string[]): string {
  const used = new Set([...taken, "History"].map((name) => name.toLowerCase()));
  const name = cut(wanted.replace(/[[\]:*?/\\\p{Cc}]/gu, " ").replace(/^[\s']+/, ""), longest) || "Sheet";
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? "" : ` ${number}`;
    const candidate = cut(name, longest - ending.length) + ending;
    if (!used.has(candidate.toLowerCase())) return candidate;
  }
}

function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\s']+$/, "");
}
