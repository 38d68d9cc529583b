/**
 * The address of a calling cell, spelt as Excel spells it for a function: `Sheet1!A1`, and the sheet's
 * name in quotes where a formula would need them.
 */
import { columnName } from "../domain/columns";

/** Rows and columns count from 0. */
export function callerAddress(sheetName: string, row: number, col: number): string {
  return `${quoted(sheetName)}!${columnName(col)}${row + 1}`;
}

function quoted(name: string): string {
  const looksLikeCell = /^[A-Za-z]{1,3}\d+$/.test(name) || /^R\d*C\d*$/i.test(name);
  if (/^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name) && !looksLikeCell) return name;
  return `'${name.replaceAll("'", "''")}'`;
}
