/** Names of columns, A to Z and then AA, and the size of a sheet. Columns count from 0, as everywhere in INV. */

export const sheetRows = 1_048_576;
export const sheetCols = 16_384;

const letters = 26;
const codeOfA = 65;

/** Returns `A` for 0 and `AA` for 26. */
export function columnName(col: number): string {
  let name = "";
  for (let rest = col + 1; rest > 0; rest = Math.floor((rest - 1) / letters)) {
    name = String.fromCharCode(codeOfA + ((rest - 1) % letters)) + name;
  }
  return name;
}

/** Returns 0 for `A` and 26 for `AA`, in any letter case. */
export function columnIndex(name: string): number {
  let index = 0;
  for (const letter of name.toUpperCase()) index = index * letters + letter.charCodeAt(0) - codeOfA + 1;
  return index - 1;
}
