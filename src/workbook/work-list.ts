/** What many cells ask for, as the engine takes it: each query once. */
import { isHistory, type Query } from "../cells/cell-record";
import type { HistoryQuery, ItemQuery } from "../domain/records";
import { historyKey } from "../engine/histories/history-key";
import { groupKey } from "../engine/items/groups";
import type { Work } from "../engine/types";

export interface WorkList {
  add(query: Query): void;
  readonly work: Work;
}

/** Built for 200,000 queries. */
export function createWorkList(isWanted: (query: Query) => boolean = () => true): WorkList {
  const values = new Map<number, Set<string>>();
  const items: ItemQuery[] = [];
  const histories = new Map<string, HistoryQuery>();

  function addItem(query: ItemQuery): void {
    const key = groupKey(query.storeNumber, query.itemType);
    let known = values.get(key);
    if (known === undefined) values.set(key, (known = new Set()));
    const before = known.size;
    if (known.add(query.value).size > before && isWanted(query)) items.push(query);
  }

  return {
    add(query) {
      if (!isHistory(query)) addItem(query);
      else if (isWanted(query)) histories.set(historyKey(query), query);
    },
    get work() {
      return { items, histories: [...histories.values()] };
    },
  };
}
