/**
 * Items that are held and that wait: one entry per item however many cells ask, in groups of a store and an item type,
 * of which the service takes 100 in a call. Calls are made up at the last moment, of all that waits of a group by then.
 */
import type { ItemQuery, ItemRecord } from "../../domain/records";
import { isNewer } from "../call";
import { isIdle } from "../entry";
import { createGroupQueues } from "../group-queues";
import type { WaitingIndex } from "../waiting-index";
import { entryOf, type Groups, type ItemEntry, type ItemGroup } from "./groups";

/** Items of one call, as the service documents. */
export const itemsPerCall = 100;

export function createItemIndex(
  groups: Groups,
  preferred: () => number,
): WaitingIndex<ItemQuery, ItemRecord, ItemEntry> {
  const queues = createGroupQueues<ItemEntry, ItemGroup>({
    preferred,
    isFull: ({ waiting }) => waiting.length >= itemsPerCall,
    callsOf: ({ waiting }) => Math.ceil(waiting.length / itemsPerCall),
  });

  const entryOfQuery = ({ storeNumber, itemType, value }: ItemQuery): ItemEntry =>
    entryOf(groups.of(storeNumber, itemType), value);

  return {
    ...queues,
    entryOf: entryOfQuery,
    find: (query) => groups.find(query)?.entries.get(query.value),
    sourceOf: (entry) => entry,
    known: ({ answer }) => answer,
    remember(entry, answer) {
      if (entry.answer === null) entry.group.answers += 1;
      else if (!isNewer(answer.asked, entry.answer.asked)) return;
      entry.answer = answer;
    },
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
      const entries = ofGroup.slice(0, itemsPerCall).map(entryOfQuery);
      queues.leave(entries);
      return { entries, isPartFilled: entries.length < itemsPerCall };
    },
    ended({ entries: [first] }) {
      if (first !== undefined) groups.grown(first.group);
    },
    tidy(entry) {
      if (entry.answer === null && isIdle(entry)) entry.group.entries.delete(entry.value);
    },
    clear: groups.clear,
  };
}
