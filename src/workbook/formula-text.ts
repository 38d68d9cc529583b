/** Texts and quoted names of sheets in a formula, in which nothing is a call, a name, a reference or a comma. Pure. */
const inert = /("(?:[^"]|"")*"|'(?:[^']|'')*')/;
const everyInert = new RegExp(inert, "g");

/** The formula with what stands outside of them changed. */
export function outsideTexts(formula: string, change: (part: string) => string): string {
  return formula
    .split(inert)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join("");
}

/** What is found outside of them, spelled anew; `at` is where it stands in the formula. */
export function respelled(
  formula: string,
  pattern: RegExp,
  spell: (text: string, at: number) => string,
): string {
  let from = 0;
  let spelled = "";
  for (const { index, 0: found } of withoutTexts(formula).matchAll(pattern)) {
    const to = index + found.length;
    spelled += formula.slice(from, index) + spell(formula.slice(index, to), index);
    from = to;
  }
  return spelled + formula.slice(from);
}

/** The formula with them blotted out; every other character stands where it stood. */
export function withoutTexts(formula: string): string {
  return formula.replaceAll(everyInert, (text) => "_".repeat(text.length));
}

/** The arguments of a call as the formula spells them, from behind its parenthesis to the one that closes it. */
export function argumentsFrom(formula: string, start: number): readonly string[] {
  const cuts = [start - 1];
  let depth = 0;
  for (const { index, 0: mark } of withoutTexts(formula).matchAll(/[()[\]{},]/g)) {
    if (index < start) continue;
    if (depth === 0 && (mark === "," || mark === ")")) cuts.push(index);
    if ("([{".includes(mark)) depth += 1;
    if (")]}".includes(mark)) depth -= 1;
    if (depth < 0) break;
  }
  if (depth >= 0) cuts.push(formula.length);
  return cuts.slice(1).map((end, index) => formula.slice((cuts[index] ?? 0) + 1, end));
}
