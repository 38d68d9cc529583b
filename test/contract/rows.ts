/**
 * The rows of the document's tables as data: which table, which row, and the check that holds for it.
 * A test file runs its rows and says how many there are.
 */

export interface Row {
  /** The table's heading in the document. */
  readonly table: string;
  readonly row: string;
  readonly check: () => Promise<void>;
}

/** Collects rows of one table. */
export function rowsOf(table: string, rows: readonly [row: string, check: () => Promise<void>][]): Row[] {
  return rows.map(([row, check]) => ({ table, row, check }));
}
