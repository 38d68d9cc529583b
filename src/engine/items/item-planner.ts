/**
 * Plans calls for items. A group contains the items of one store and item type; the service takes 100 of them in a call. An item
 * has one entry, however many cells need it. A call is assembled at the last moment, from everything queued in the group.
 */
import { groupKey } from "../../domain/query-keys";
import type { ItemQuery, ItemRecord } from "../../domain/records";
import { createCache } from "../cache";
import { createQueue } from "../queue";
import type { Planner } from "../planner-and-codec";

/** The service's documented limit of items per call. */
export const itemsPerCall = 100;

function createItemCache() {
  return createCache<ItemQuery, ItemRecord>({
    groupKeyOf: ({ storeNumber, itemType }) => groupKey(storeNumber, itemType),
    sharedOf: ({ storeNumber, itemType }) => ({ storeNumber, itemType, value: "" }),
    valueOf: ({ value }) => value,
    weightOf: () => 1,
  });
}

export function createItemPlanner(sheetInView: () => string | null): Planner<ItemQuery, ItemRecord> {
  const cache = createItemCache();
  const queue = createQueue<ItemQuery, ItemRecord>({
    sheetInView,
    isFull: ({ queued }) => queued.length >= itemsPerCall,
    callsNeededBy: ({ queued }) => Math.ceil(queued.length / itemsPerCall),
  });

  return {
    cache,
    queue,
    queryOf: ({ group, value }) => ({ ...group.query, value }),
    wider: null,
    remember: cache.remember,
    next(kind) {
      const group = queue.next(kind);
      if (group === undefined) return null;
      const entries = queue.takeFrom(group, itemsPerCall);
      return { entries, isPartFilled: entries.length < itemsPerCall };
    },
    callEnded({ entries: [first] }) {
      if (first !== undefined) cache.evict(first.group);
    },
  };
}
