/**
 * Items that are held and that wait: one entry per item however many cells ask, in groups of a store and an item type,
 * of which the service takes 100 in a call. Calls are made up at the last moment, of all that waits of a group by then.
 */
import { groupKey } from "../../domain/query-keys";
import type { ItemQuery, ItemRecord } from "../../domain/records";
import type { Entry } from "../entry";
import { createGroupQueues } from "../group-queues";
import { createGroups } from "../groups";
import type { WaitingIndex } from "../lane-types";

/** What the items of a call have in common. */
export type ItemsOf = Pick<ItemQuery, "storeNumber" | "itemType">;
export type ItemEntry = Entry<ItemRecord, ItemsOf>;

/** Items of one call, as the service documents. */
export const itemsPerCall = 100;

export function createItemIndex(preferred: () => number): WaitingIndex<ItemQuery, ItemRecord, ItemsOf> {
  const groups = createItemGroups();
  const queues = createGroupQueues<ItemRecord, ItemsOf>({
    preferred,
    isFull: ({ waiting }) => waiting.length >= itemsPerCall,
    callsOf: ({ waiting }) => Math.ceil(waiting.length / itemsPerCall),
    // The first of a call, or its last: most are neither, and there are 100,000.
    mayHaveChanged: ({ waiting }) => waiting.length % itemsPerCall <= 1,
  });

  return {
    ...groups,
    ...queues,
    sourceOf: (entry) => entry,
    known: ({ answer }) => answer,
    shown: ({ group }) => groups.used(group),
    callAlong: () => undefined,
    next(kind) {
      const group = queues.nextGroup(kind);
      if (group === undefined) return null;
      const entries = queues.takeFrom(group, itemsPerCall);
      return { entries, isPartFilled: entries.length < itemsPerCall };
    },
    firstOf(queries) {
      const [first] = queries;
      if (first === undefined) return null;
      const ofGroup = queries.filter(
        ({ storeNumber, itemType }) => storeNumber === first.storeNumber && itemType === first.itemType,
      );
      const entries = ofGroup.slice(0, itemsPerCall).map(groups.entryOf);
      queues.leave(entries);
      return { entries, isPartFilled: entries.length < itemsPerCall };
    },
    ended({ entries: [first] }) {
      if (first !== undefined) groups.grown(first.group);
    },
  };
}

export function createItemGroups() {
  return createGroups<ItemQuery, ItemRecord, ItemsOf>({
    keyOf: ({ storeNumber, itemType }) => groupKey(storeNumber, itemType),
    ofAll: ({ storeNumber, itemType }) => ({ storeNumber, itemType }),
    valueOf: ({ value }) => value,
    weightOf: () => 1,
    isNeeded: () => false,
  });
}
