/**
 * Formulas typed with semicolons between arguments, as German Excel has them: `=INV.QTY(1234;"0001")`. Where a formula
 * also has commas, those may be decimals, so it is left to the person. Pure.
 */

/** With commas between arguments; the formula itself where it has no semicolon, null where it could mean two things. */
export function commaFormula(formula: string): string | null {
  let text = "";
  let quote = "";
  let braces = 0;
  let semicolons = 0;
  let commas = 0;
  for (const mark of formula) {
    if (quote !== "") quote = mark === quote ? "" : quote;
    else if (mark === '"' || mark === "'") quote = mark;
    else if (mark === "{") braces += 1;
    else if (mark === "}") braces -= 1;
    const isOutside = quote === "" && braces === 0;
    if (isOutside && mark === ",") commas += 1;
    if (isOutside && mark === ";") semicolons += 1;
    text += isOutside && mark === ";" ? "," : mark;
  }
  if (semicolons === 0) return formula;
  return commas === 0 ? text : null;
}
