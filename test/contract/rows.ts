/** Rows of the document's tables with their checks, which `contract.test` runs against each service. */

export interface Row {
  /** The table's heading in the document. */
  readonly table: string;
  readonly row: string;
  readonly check: () => Promise<void>;
}

export function rowsOf(table: string, rows: readonly [row: string, check: () => Promise<void>][]): Row[] {
  return rows.map(([row, check]) => ({ table, row, check }));
}
