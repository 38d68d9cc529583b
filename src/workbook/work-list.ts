/** Collects the distinct queries of many cells. */
import type { HistoryQuery, ItemQuery, Query } from "../domain/records";
import { groupKey, historyKey, isHistory, undatedQuery, wholeQuery } from "../domain/query-keys";
import type { Work } from "../engine/types";

export interface PlannedWork extends Work {
  /** The highest number of whole histories that sums may need in addition; missing if there are none. */
  readonly atMostWhole?: number;
}

export interface WorkList {
  add(query: Query): void;
  /** Adds a query of a function that reads the item's whole history if this query finds nothing. */
  addSum(query: Query): void;
  readonly work: PlannedWork;
}

/**
 * Creates a list that is fast enough for 200,000 queries.
 * @param isKnown whether a whole history is cached, so that a sum doesn't read it
 */
export function createWorkList(
  isWanted: (query: Query) => boolean = () => true,
  isKnown: (whole: HistoryQuery) => boolean = () => false,
): WorkList {
  const values = new Map<number, Set<string>>();
  const items: ItemQuery[] = [];
  const histories = new Map<string, HistoryQuery>();
  const wholes = new Set<string>();
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

  function add(query: Query): void {
    if (!isHistory(query)) addItem(query);
    else if (isWanted(query)) histories.set(historyKey(query), query);
  }

  return {
    add,
    addSum(query) {
      add(query);
      if (!isHistory(query) || !isWanted(query)) return;
      const whole = undatedQuery(wholeQuery(query));
      if (!isKnown(whole)) wholes.add(historyKey(whole));
    },
    get work() {
      const atMostWhole = [...wholes].filter((key) => !histories.has(key)).length;
      return { items, histories: [...histories.values()], ...(atMostWhole > 0 && { atMostWhole }) };
    },
  };
}
