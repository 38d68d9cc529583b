/** Collects the distinct queries of many cells. */
import type { HistoryQuery, ItemQuery, Query } from "../domain/records";
import { groupKey, historyKey, isHistory } from "../domain/query-keys";
import type { Work } from "../engine/types";

export interface WorkList {
  add(query: Query): void;
  readonly work: Work;
}

/** Creates a list that is fast enough for 200,000 queries. */
export function createWorkList(isWanted: (query: Query) => boolean = () => true): WorkList {
  const values = new Map<number, Set<string>>();
  const items: ItemQuery[] = [];
  const histories = new Map<string, HistoryQuery>();
  /** Values of the previous query's group: a sheet's queries usually arrive store by store. */
  let latestKey = NaN;
  let latest = new Set<string>();

  function addItem(query: ItemQuery): void {
    const key = groupKey(query.storeNumber, query.itemType);
    if (key !== latestKey) latest = valuesOf(key);
    latestKey = key;
    const before = latest.size;
    if (latest.add(query.value).size > before && isWanted(query)) items.push(query);
  }

  function valuesOf(key: number): Set<string> {
    const keyValues = values.get(key) ?? new Set();
    values.set(key, keyValues);
    return keyValues;
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
