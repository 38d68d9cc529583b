/**
 * References to whole columns: a million rows, of which the last is the last that is filled. Excel hands over what
 * is empty as "" or 0 (seen; null on the web in some versions), so the end is cut off before anything else looks at
 * the cells: reading a million of them took a second a formula.
 */

/** A reference this tall is meant as "the whole column", up to its last entry. */
export const tallRows = 65_536;

/** The arguments, whole columns cut after the last row in which any of them may hold something. */
export function cutEmptyEnds(given: readonly unknown[]): readonly unknown[] {
  let rows = 0;
  for (const value of given) if (isWholeColumn(value)) rows = Math.max(rows, filledRows(value));
  return rows === 0 ? given : given.map((value) => (isWholeColumn(value) ? value.slice(0, rows) : value));
}

/** Whether an argument is a reference to a whole column. */
export function isWholeColumn(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length >= tallRows;
}

/** At least one, so that what is empty stays a blank. */
function filledRows(rows: readonly unknown[]): number {
  let last = rows.length - 1;
  while (last > 0 && isEmptyRow(rows[last])) last--;
  return last + 1;
}

function isEmptyRow(row: unknown): boolean {
  if (!Array.isArray(row)) return isEmpty(row);
  for (const cell of row) if (!isEmpty(cell)) return false;
  return true;
}

function isEmpty(cell: unknown): boolean {
  return cell === "" || cell === 0 || cell === null || cell === undefined;
}
