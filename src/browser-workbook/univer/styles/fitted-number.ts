/** Fits a number's text into a column that may be too narrow. */

/** Returns the text if it fits, or fewer decimals if no format requires them, or as many # as fit. */
export function fittedNumber(text: string, isPlain: boolean, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  const [, whole, mark = ".", fraction = ""] = (isPlain && /^(-?\d+)([.,])(\d+)$/.exec(text)) || [];
  for (let places = fraction.length - 1; places >= 0; places -= 1) {
    const shorter = Number(`${whole}.${fraction}`).toFixed(places).replace(".", mark);
    if (fits(shorter)) return shorter;
  }
  let marks = "#";
  while (marks.length < text.length && fits(`${marks}#`)) marks += "#";
  return marks;
}
