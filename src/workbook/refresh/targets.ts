/**
 * The cells of a refresh beside what the register knows of them: what they ask for, whether they were
 * calculated again since they were marked, and whether their answer is still owed.
 * A cell without a register entry is one that the host has not calculated in this session.
 */
import type { HistoryQuery, ItemQuery } from "../../domain/records";
import { isHistory, queriesOf } from "../../cells/cell-record";
import type { CellRegister, CellUse } from "../../cells/cell-register";
import { historyKey } from "../../engine/histories/history-key";
import type { Work } from "../../engine/types";
import { cellAddresses } from "../addresses";
import type { CellRef } from "../port";

export interface Target {
  readonly ref: CellRef;
  readonly addresses: readonly [bare: string, quoted: string];
}

/** How a cell stood when it was marked. Copied: the register goes on writing into its entries. */
export type Mark = Omit<CellUse, "address"> | null;

export function toTarget(ref: CellRef): Target {
  return { ref, addresses: cellAddresses(ref) };
}

export function useOf(cells: CellRegister, { addresses }: Target): CellUse | undefined {
  return cells.get(addresses[0]) ?? cells.get(addresses[1]);
}

export function markOf(use: CellUse | undefined): Mark {
  if (use === undefined) return null;
  const { asked, environmentId, state, error, owedBecause, oldestMs, newestMs } = use;
  return { asked, environmentId, state, error, owedBecause, oldestMs, newestMs };
}

/**
 * Whether the cell was calculated since. A new round leaves new queries, new times or a new error; only
 * a cell that asks for nothing (a blank row) may look the same, see `asksNothing`.
 */
export function hasChanged(mark: Mark, use: CellUse): boolean {
  return (
    mark?.state !== use.state ||
    mark.asked !== use.asked ||
    mark.error !== use.error ||
    mark.newestMs !== use.newestMs ||
    mark.oldestMs !== use.oldestMs ||
    mark.environmentId !== use.environmentId
  );
}

export function asksNothing(use: CellUse): boolean {
  return use.asked === null;
}

/** Everything these cells ask for, each query once. */
export function workOf(
  uses: Iterable<CellUse>,
  isWanted: (query: ItemQuery | HistoryQuery) => boolean = () => true,
): Work {
  const items = new Map<string, ItemQuery>();
  const histories = new Map<string, HistoryQuery>();
  for (const use of uses) {
    for (const query of queriesOf(use)) {
      if (isHistory(query)) histories.set(historyKey(query), query);
      else items.set(`${query.storeNumber} ${query.itemType} ${query.value}`, query);
    }
  }
  return {
    items: [...items.values()].filter(isWanted),
    histories: [...histories.values()].filter(isWanted),
  };
}
