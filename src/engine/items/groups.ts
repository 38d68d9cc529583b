/**
 * The items of one store and one item type, which may travel together, and the bounded memory of all of
 * them. A group's entries are found by value; those that wait stand in its queue. The least recently used
 * groups lose their answers when more than 200,000 are held (whole groups, so that keeping the order of
 * use costs once per call and not once per cell), and a group that alone has more loses those of its items that came
 * first; entries that wait are never lost.
 */
import { LRUCache } from "lru-cache";
import { groupKey } from "../../domain/query-keys";
import type { ItemQuery, ItemRecord, ItemType } from "../../domain/records";
import { type Entry, isIdle } from "../entry";
import { emptyGroup, type Group } from "../group-queues";

/** One item of a group. */
export interface ItemEntry extends Entry<ItemRecord> {
  /** The item's identifier, by which its group finds it. */
  readonly value: string;
  readonly group: ItemGroup;
}

export interface ItemGroup extends Group<ItemEntry> {
  readonly key: number;
  readonly storeNumber: number;
  readonly itemType: ItemType;
  readonly entries: Map<string, ItemEntry>;
  /** How many of them have an answer. */
  answers: number;
}

export interface Groups {
  of(storeNumber: number, itemType: ItemType): ItemGroup;
  find(query: Pick<ItemQuery, "storeNumber" | "itemType">): ItemGroup | undefined;
  /** Its answers were used. */
  used(group: ItemGroup): void;
  /** It has new answers. */
  grown(group: ItemGroup): void;
  /** Forgets every answer; what waits goes on waiting. */
  clear(): void;
}

const answersHeld = 200_000;

/** The entry of this item, made where there is none. */
export function entryOf(group: ItemGroup, value: string): ItemEntry {
  const known = group.entries.get(value);
  if (known !== undefined) return known;
  const entry: ItemEntry = {
    value,
    group,
    answer: null,
    wantedEpoch: 0,
    first: null,
    last: null,
    cells: 0,
    isQueued: false,
    calls: null,
    older: null,
  };
  group.entries.set(value, entry);
  return entry;
}

export function createGroups(): Groups {
  const groups = new Map<number, ItemGroup>();
  // Held in a box, new at each growth, since the cache weighs a value only when it is another object.
  const recent = new LRUCache<number, { readonly group: ItemGroup }>({
    maxSize: answersHeld,
    sizeCalculation: ({ group }) => Math.min(Math.max(1, group.answers), answersHeld),
    dispose: ({ group }, _key, reason) => {
      if (reason === "evict") forgetAnswers(group);
    },
  });
  let lastUsed: ItemGroup | null = null;
  /** Sheets ask for the items of a store one after the other. */
  let lastFound: ItemGroup | null = null;

  function of(storeNumber: number, itemType: ItemType): ItemGroup {
    const key = groupKey(storeNumber, itemType);
    if (lastFound?.key === key) return lastFound;
    return (lastFound = groups.get(key) ?? make(key, storeNumber, itemType));
  }

  function make(key: number, storeNumber: number, itemType: ItemType): ItemGroup {
    const group: ItemGroup = {
      ...emptyGroup,
      waiting: [],
      key,
      storeNumber,
      itemType,
      entries: new Map(),
      answers: 0,
    };
    groups.set(key, group);
    return group;
  }

  function forgetAnswers(group: ItemGroup): void {
    group.answers = 0;
    for (const [value, entry] of group.entries) {
      if (isIdle(entry)) group.entries.delete(value);
      else entry.answer = null;
    }
    if (group.entries.size > 0) return;
    groups.delete(group.key);
    if (lastFound === group) lastFound = null;
  }

  /** Those of a group that is too large by itself. What waits goes behind the others: it is looked at once for many. */
  function forgetFirst(group: ItemGroup): void {
    let left = group.entries.size;
    for (const [value, entry] of group.entries) {
      if (group.answers <= answersHeld || left === 0) return;
      left -= 1;
      if (entry.answer !== null) group.answers -= 1;
      entry.answer = null;
      group.entries.delete(value);
      if (!isIdle(entry)) group.entries.set(value, entry);
    }
  }

  return {
    of,
    find: (query) => groups.get(groupKey(query.storeNumber, query.itemType)),
    used(group) {
      if (lastUsed === group) return;
      lastUsed = group;
      recent.get(group.key);
    },
    grown(group) {
      forgetFirst(group);
      recent.set(group.key, { group });
    },
    clear() {
      recent.clear();
      for (const group of groups.values()) forgetAnswers(group);
    },
  };
}
