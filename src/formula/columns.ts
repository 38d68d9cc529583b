/** Names of columns, A to Z and then AA, and the size of a sheet. Columns count from 0, as everywhere in INV. */

export const sheetRows = 1_048_576;
export const sheetCols = 16_384;

const letters = 26;
const codeOfA = 65;

/** 0 is A, 26 is AA. */
export function columnName(col: number): string {
  let name = "";
  for (let rest = col + 1; rest > 0; rest = Math.floor((rest - 1) / letters)) {
    name = String.fromCharCode(codeOfA + ((rest - 1) % letters)) + name;
  }
  return name;
}

/** A is 0, AA is 26, in any letter case. */
export function columnIndex(name: string): number {
  let index = 0;
  for (const letter of name.toUpperCase()) index = index * letters + letter.charCodeAt(0) - codeOfA + 1;
  return index - 1;
}
