/** Recognizes the ledger's sheets by their names. A separate file, so that this check doesn't load the ledger. */

/** The ledger's sheet in downloaded files. */
export const ledgerSheet = "_inv";

export function isLedgerSheet(name: string): boolean {
  return /^_inv(?:_[0-9a-z]+)?$/.test(name);
}
