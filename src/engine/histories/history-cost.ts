/**
 * What histories cost, and so how they are asked for. There is no batch call: where two or more types of a history are
 * wanted together, the cheaper of two ways is taken. The whole history costs the pages it was last seen to have, filters
 * cost theirs; a single type goes with its filter. A whole history that could not be read is tried again where it is
 * wanted itself, and its parts go on their own. The price of a refresh is told by the same rule.
 */
import { LRUCache } from "lru-cache";
import { historyKey, wholeQuery } from "../../domain/query-keys";
import type { HistoryQuery } from "../../domain/records";

/** What reading a history took when it was last read, to its end or as far as it could be. */
export interface ReadCost {
  readonly pages: number;
  readonly isUnreadable: boolean;
}

/** What is known of histories that took more than one page, or could not be read. */
export type HistoryCosts = ReturnType<typeof createHistoryCosts>;
export type CostOf = HistoryCosts["of"];

const maxEntries = 20_000;
/** Until it was read. */
export const onePage: ReadCost = { pages: 1, isUnreadable: false };

export function createHistoryCosts() {
  const seen = new LRUCache<string, ReadCost>({ max: maxEntries });

  return {
    of: (query: HistoryQuery): ReadCost => seen.get(historyKey(query)) ?? onePage,
    note(query: HistoryQuery, now: ReadCost): void {
      if (now.pages === 1 && !now.isUnreadable) seen.delete(historyKey(query));
      else seen.set(historyKey(query), now);
    },
  };
}

/** Whether these of one history go as the whole of it, and in how many calls. */
export function planHistory(
  seenOf: CostOf,
  wanted: readonly HistoryQuery[],
): { isWhole: boolean; calls: number } {
  const [first] = wanted;
  if (first === undefined) return { isWhole: false, calls: 0 };
  const whole = seenOf(wholeQuery(first));
  const apart = wanted.reduce((sum, query) => sum + seenOf(query).pages, 0);
  // A single type goes with its filter: nobody asked for the rest. Of two equals the whole serves more.
  const isCheaper = wanted.length > 1 && whole.pages <= apart;
  const isWanted = isCheaper || wanted.some(({ eventType }) => eventType === undefined);
  const isWhole = isWanted && !whole.isUnreadable;
  return { isWhole, calls: isWhole ? whole.pages : apart };
}
