/**
 * The cells of a refresh beside what the register knows of them: what they ask for, whether they were
 * calculated again since they were marked, and whether their answer is still owed.
 * A cell without a register entry is one that the host has not calculated in this session.
 */
import type { HistoryQuery, ItemQuery } from "../../domain/records";
import { isHistory, queriesOf, type Query } from "../../cells/cell-record";
import type { CellRegister, CellUse } from "../../cells/cell-register";
import { historyKey } from "../../engine/histories/history-key";
import { groupKey } from "../../engine/items/groups";
import type { Work } from "../../engine/types";
import { cellAddresses } from "../addresses";
import type { Located } from "../formula-search";

export type Target = Located;

/** How a cell stood when it was marked: its calculation, negative while that waited. Null: none in this session. */
export type Mark = number | null;

export function useOf(cells: CellRegister, { ref, address }: Target): CellUse | undefined {
  // One that was not known when it was found may have come in the other spelling.
  return cells.get(address) ?? cells.get(cellAddresses(ref)[1]);
}

export function markOf(use: CellUse | undefined): Mark {
  if (use === undefined) return null;
  return use.state === "waiting" ? -use.calculation : use.calculation;
}

/** Whether the cell was calculated since, or has ended what it was marked in. */
export function hasChanged(mark: Mark, use: CellUse): boolean {
  return markOf(use) !== mark;
}

export function asksNothing(use: CellUse): boolean {
  return use.asked === null;
}

export interface WorkList {
  add(use: CellUse): void;
  readonly work: Work;
}

/** Gathers what cells ask for, each query once. */
export function createWorkList(isWanted: (query: Query) => boolean = () => true): WorkList {
  const values = new Map<number, Set<string>>();
  const items: ItemQuery[] = [];
  const histories = new Map<string, HistoryQuery>();

  function addItem(query: ItemQuery): void {
    const key = groupKey(query.storeNumber, query.itemType);
    let known = values.get(key);
    if (known === undefined) values.set(key, (known = new Set()));
    if (known.has(query.value)) return;
    known.add(query.value);
    if (isWanted(query)) items.push(query);
  }

  return {
    add(use) {
      for (const query of queriesOf(use)) {
        if (!isHistory(query)) addItem(query);
        else if (isWanted(query)) histories.set(historyKey(query), query);
      }
    },
    get work() {
      return { items, histories: [...histories.values()] };
    },
  };
}
