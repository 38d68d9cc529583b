/**
 * The items of one store and one item type, which may travel together, and the bounded memory of all of
 * them. A group's entries are found by value; those that wait stand in its queue. The least recently used
 * groups lose their answers when more than 200,000 are held (whole groups, so that keeping the order of
 * use costs once per call and not once per cell); entries that wait are never lost.
 */
import { LRUCache } from "lru-cache";
import type { ItemQuery, ItemRecord, ItemType } from "../../domain/records";
import { carried, type Entry, queued } from "../entry";

/** One item of a group. */
export interface ItemEntry extends Entry<ItemRecord> {
  /** The item's identifier, by which its group finds it. */
  readonly value: string;
}

export interface Group {
  readonly key: number;
  readonly storeNumber: number;
  readonly itemType: ItemType;
  readonly entries: Map<string, ItemEntry>;
  /** In the queue, first come first. Each is `queued`. */
  waiting: ItemEntry[];
  /** Just asked for by an edit: they travel in the group's next call. */
  edited: ItemEntry[] | null;
  /** Bits of the sheets that wait for it. */
  sheets: number;
  /** Which of the queues it stands in; -1 for none. */
  queue: number;
}

/** Items of one group on their way. */
export interface Batch {
  readonly group: Group;
  readonly entries: readonly ItemEntry[];
}

export interface Groups {
  of(storeNumber: number, itemType: ItemType): Group;
  find(query: Pick<ItemQuery, "storeNumber" | "itemType">): Group | undefined;
  /** Its answers were used. */
  used(group: Group): void;
  /** It has new answers. */
  grown(group: Group): void;
  /** Forgets every answer; what waits goes on waiting. */
  clear(): void;
}

const answersHeld = 200_000;

/** The entry of this item, made where there is none. */
export function entryOf(group: Group, value: string): ItemEntry {
  const known = group.entries.get(value);
  if (known !== undefined) return known;
  const entry = { value, answer: null, wantedEpoch: 0, first: null, last: null, state: 0 };
  group.entries.set(value, entry);
  return entry;
}

export function groupKey(storeNumber: number, itemType: ItemType): number {
  return storeNumber * 2 + (itemType === "gtin" ? 0 : 1);
}

export function createGroups(): Groups {
  const groups = new Map<number, Group>();
  // Held in a box, new at each growth, since the cache weighs a value only when it is another object.
  const recent = new LRUCache<number, { readonly group: Group }>({
    maxSize: answersHeld,
    sizeCalculation: ({ group }) => Math.min(Math.max(1, group.entries.size), answersHeld),
    dispose: ({ group }, _key, reason) => {
      if (reason === "evict") forgetAnswers(group);
    },
  });
  let lastUsed: Group | null = null;
  /** Sheets ask for the items of a store one after the other. */
  let lastFound: Group | null = null;

  function of(storeNumber: number, itemType: ItemType): Group {
    const key = groupKey(storeNumber, itemType);
    if (lastFound?.key === key) return lastFound;
    return (lastFound = groups.get(key) ?? make(key, storeNumber, itemType));
  }

  function make(key: number, storeNumber: number, itemType: ItemType): Group {
    const group: Group = {
      key,
      storeNumber,
      itemType,
      entries: new Map(),
      waiting: [],
      edited: null,
      sheets: 0,
      queue: -1,
    };
    groups.set(key, group);
    return group;
  }

  function forgetAnswers(group: Group): void {
    for (const [value, entry] of group.entries) {
      if ((entry.state & (queued | carried)) === 0) group.entries.delete(value);
      else entry.answer = null;
    }
    if (group.entries.size > 0) return;
    groups.delete(group.key);
    if (lastFound === group) lastFound = null;
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
      recent.set(group.key, { group });
    },
    clear() {
      recent.clear();
      for (const group of groups.values()) forgetAnswers(group);
    },
  };
}
