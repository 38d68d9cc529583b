/**
 * What histories cost, and so how they are requested. The service has no batch call for events. A single event type is requested
 * with its filter. For several types of a history, INV takes the cheaper of two ways. The whole history costs the pages that it had
 * last time; a filtered call for each type costs that many calls. If a whole history couldn't be read, its types are requested on
 * their own. The price of a refresh uses the same rule.
 */
import { LRUCache } from "lru-cache";
import { historyKey, wholeQuery } from "../../domain/query-keys";
import type { HistoryQuery } from "../../domain/records";

/** How many calls a history took when it was last read, completely or not. */
export interface ReadCost {
  readonly pages: number;
  readonly isUnreadable: boolean;
}

/** Remembers histories that took more than one page or couldn't be read. */
export type HistoryCosts = ReturnType<typeof createHistoryCosts>;
export type CostOf = HistoryCosts["of"];

const maxEntries = 20_000;
/** The cost of a history that wasn't read yet. */
export const onePage: ReadCost = { pages: 1, isUnreadable: false };

export function createHistoryCosts() {
  const costs = new LRUCache<string, ReadCost>({ max: maxEntries });

  return {
    of: (query: HistoryQuery): ReadCost => costs.get(historyKey(query)) ?? onePage,
    note(query: HistoryQuery, cost: ReadCost): void {
      if (cost.pages === 1 && !cost.isUnreadable) costs.delete(historyKey(query));
      else costs.set(historyKey(query), cost);
    },
  };
}

/** Returns whether these event types are requested as a whole history, and how many calls that takes. */
export function planHistory(
  costOf: CostOf,
  queries: readonly HistoryQuery[],
): { isWhole: boolean; calls: number } {
  const [first] = queries;
  if (first === undefined) return { isWhole: false, calls: 0 };
  const whole = costOf(wholeQuery(first));
  const filteredCalls = queries.reduce((sum, query) => sum + costOf(query).pages, 0);
  // A single type needs only its filter. If both ways cost the same, the whole history serves more.
  const isCheaper = queries.length > 1 && whole.pages <= filteredCalls;
  const isWanted = isCheaper || queries.some(({ eventType }) => eventType === undefined);
  const isWhole = isWanted && !whole.isUnreadable;
  return { isWhole, calls: isWhole ? whole.pages : filteredCalls };
}
