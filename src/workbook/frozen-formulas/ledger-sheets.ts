/**
 * Which sheets are the ledger's. Apart from the ledger itself, so that a look whether a workbook has one loads
 * nothing of it.
 */

/** The sheet of files that were downloaded. */
export const ledgerSheet = "_inv";

export function isLedgerSheet(name: string): boolean {
  return /^_inv(?:_[0-9a-z]+)?$/.test(name);
}
