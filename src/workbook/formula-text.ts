/** Texts and quoted names of sheets in a formula, in which nothing is a call, a name or a reference. Pure. */
const inert = /("(?:[^"]|"")*"|'(?:[^']|'')*')/;
const everyInert = new RegExp(inert, "g");

/** The formula with what stands outside of them changed. */
export function outsideTexts(formula: string, change: (part: string) => string): string {
  return formula
    .split(inert)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join("");
}

/** The formula with them blotted out; every other character stands where it stood. */
export function withoutTexts(formula: string): string {
  return formula.replaceAll(everyInert, (text) => "_".repeat(text.length));
}
