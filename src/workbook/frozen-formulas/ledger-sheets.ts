/** Tells the ledger's sheets by their names. A file of its own, so that asking for them doesn't load the ledger. */

/** The sheet of downloaded files. */
export const ledgerSheet = "_inv";

export function isLedgerSheet(name: string): boolean {
  return /^_inv(?:_[0-9a-z]+)?$/.test(name);
}
