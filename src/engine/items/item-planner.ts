/**
 * Plans calls for items. A group contains the items of one store and item type; the service takes 100 of them in a call. An item
 * has one entry, however many cells need it. A call is assembled at the last moment, from everything that waits in the group.
 */
import { groupKey } from "../../domain/query-keys";
import type { ItemQuery, ItemRecord } from "../../domain/records";
import { createCache } from "../cache";
import type { Entry } from "../entry";
import type { Planner } from "../planner";
import { createQueue } from "../queue";

/** What the items of a call share. */
export type ItemScope = Pick<ItemQuery, "storeNumber" | "itemType">;
export type ItemEntry = Entry<ItemRecord, ItemScope>;
/** The service's documented limit of items per call. */
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
    // Only an item that starts or fills a call changes the count. Most of 100,000 do neither.
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
