/**
 * Hidden names for frozen cells, which the host moves as rows and columns come and go. Names make a
 * workbook slower to open, so there are at most a thousand; the other cells are found by their address.
 */
import type { LedgerEntry } from "./entry";
import type { Ledger } from "./ledger";
import { ledgerSheet } from "./ledger-sheets";
import type { DefinedName, HiddenName } from "../port";

const mostNames = 1_000;

export function anchorEntries(
  entries: readonly LedgerEntry[],
  ledger: Pick<Ledger, "newName">,
  existing: readonly DefinedName[],
): {
  readonly entries: readonly LedgerEntry[];
  readonly names: readonly HiddenName[];
  readonly byAddress: number;
} {
  const taken = existing.filter(({ name }) => name.toLowerCase().startsWith(`${ledgerSheet}_`)).length;
  const room = Math.max(0, mostNames - taken);
  const names: HiddenName[] = [];
  const anchored = entries.map((entry, index) => {
    if (index >= room) return entry;
    const anchor = ledger.newName();
    names.push({ name: anchor, cell: entry.ref });
    return { ...entry, anchor };
  });
  return { entries: anchored, names, byAddress: Math.max(0, entries.length - room) };
}
