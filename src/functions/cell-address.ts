/**
 * Addresses of the cells a formula spills into, so that a problem in row 40 of a spilled column is found
 * there and not only at the formula. An address that is not understood stays as the host gave it.
 */

const shape = /^(.*!)?\$?([A-Z]{1,3})\$?(\d{1,7})$/i;
const letters = 26;
const codeBeforeA = 64;

/** The address `row` rows below and `col` columns right of a formula's own, such as `'My sheet'!C2`. */
export function spilledAddress(formula: string, row: number, col: number): string {
  if (row === 0 && col === 0) return formula;
  const parts = shape.exec(formula);
  if (parts === null) return formula;
  const [, sheet = "", column = "", line = ""] = parts;
  return `${sheet}${columnName(columnNumber(column) + col)}${Number(line) + row}`;
}

/** A is 1, Z is 26, AA is 27. */
function columnNumber(name: string): number {
  let number = 0;
  for (const letter of name.toUpperCase()) number = number * letters + letter.charCodeAt(0) - codeBeforeA;
  return number;
}

function columnName(number: number): string {
  let name = "";
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / letters)) {
    name = String.fromCharCode(((rest - 1) % letters) + 1 + codeBeforeA) + name;
  }
  return name;
}
