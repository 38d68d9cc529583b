/**
 * Items in groups of a store and an item type, of which the service takes 100 in a call. There is one entry per item however
 * many cells ask for it, and a call is put together at the last moment from all that waits in a group by then.
 */
import { groupKey } from "../../domain/query-keys";
import type { ItemQuery, ItemRecord } from "../../domain/records";
import { createCache } from "../cache";
import type { Entry } from "../entry";
import type { Planner } from "../planner";
import { createQueue } from "../queue";

/** What the items of a call have in common. */
export type ItemScope = Pick<ItemQuery, "storeNumber" | "itemType">;
export type ItemEntry = Entry<ItemRecord, ItemScope>;
/** Items of one call, as the service documents. */
export const itemsPerCall = 100;

export function createItemCache() {
  return createCache<ItemQuery, ItemRecord, ItemScope>({
    keyOf: ({ storeNumber, itemType }) => groupKey(storeNumber, itemType),
    scopeOf: ({ storeNumber, itemType }) => ({ storeNumber, itemType }),
    valueOf: ({ value }) => value,
    weightOf: () => 1,
    isNeeded: () => false,
  });
}

export function createItemPlanner(preferred: () => number): Planner<ItemQuery, ItemRecord, ItemScope> {
  const cache = createItemCache();
  const queue = createQueue<ItemRecord, ItemScope>({
    preferred,
    isFull: ({ waiting }) => waiting.length >= itemsPerCall,
    callsOf: ({ waiting }) => Math.ceil(waiting.length / itemsPerCall),
    // The first of a call, or its last: most are neither, and there are 100,000.
    mayHaveChanged: ({ waiting }) => waiting.length % itemsPerCall <= 1,
  });

  return {
    cache,
    queue,
    find: cache.find,
    remember: cache.remember,
    answerSourceOf: (entry) => entry,
    cachedAnswerOf: ({ answer }) => answer,
    markShown: ({ group }) => cache.markUsed(group),
    callThatBrings: () => undefined,
    next(kind) {
      const group = queue.nextGroup(kind);
      if (group === undefined) return null;
      const entries = queue.takeFrom(group, itemsPerCall);
      return { entries, isPartFilled: entries.length < itemsPerCall };
    },
    firstOf(queries) {
      const [first] = queries;
      if (first === undefined) return null;
      const key = groupKey(first.storeNumber, first.itemType);
      const ofGroup = queries.filter(({ storeNumber, itemType }) => groupKey(storeNumber, itemType) === key);
      const entries = ofGroup.slice(0, itemsPerCall).map(cache.entryOf);
      queue.remove(entries);
      return { entries, isPartFilled: entries.length < itemsPerCall };
    },
    callEnded({ entries: [first] }) {
      if (first !== undefined) cache.limitWeight(first.group);
    },
  };
}
