/**
 * The cache of one operation: its entries in groups, with bounded memory for their answers. If it is full, it evicts the answers of
 * the least recently used groups. Single answers have no time of use, because there are too many. Entries with waiting cells are
 * never removed.
 */
import { type CachedAnswer, type Entry, type Group, isNewer } from "./entry";

export type Cache<Query, T> = ReturnType<typeof createCache<Query, T>>;

export interface CacheRules<Query, T> {
  /** Equal for the entries of one group. */
  groupKeyOf(query: Query): number | string;
  /** What the entries of the group share. */
  sharedOf(query: Query): Query;
  /** Unique in the group. */
  valueOf(query: Query): string;
  weightOf(answer: CachedAnswer<T>): number;
}

/** The largest weight: items, or events of histories. */
const maxWeight = 200_000;
/** An eviction compares all groups, so it makes room for many answers at once. */
const weightAfterEviction = 0.9 * maxWeight;

export function createCache<Query, T>(rules: CacheRules<Query, T>) {
  type E = Entry<Query, T>;
  type G = Group<Query, T>;
  const groups = new Map<number | string, G>();
  let weight = 0;
  let uses = 0;
  /** The epoch of the latest clear. No answer of an earlier one is fresh, and no entry wants one. */
  let clearedEpoch = 0;
  /** The group of the last request. Sheets request the items of a store one after another, so it is often the next one, too. */
  let lastFound: G | null = null;

  /** Returns the query's entry, and creates it if there is none. */
  function entryOf(query: Query): E {
    const key = rules.groupKeyOf(query);
    if (lastFound?.key !== key) lastFound = groups.get(key) ?? add(newGroup(key, rules.sharedOf(query)));
    const value = rules.valueOf(query);
    return lastFound.entries.get(value) ?? newEntry(lastFound, value, clearedEpoch);
  }

  function add(group: G): G {
    groups.set(group.key, group);
    return group;
  }

  function addWeight(group: G, by: number): void {
    group.weight += by;
    weight += by;
  }

  function forget(entry: E): void {
    if (entry.answer === null) return;
    addWeight(entry.group, -rules.weightOf(entry.answer));
    entry.answer = null;
  }

  function drop({ group, value }: E): void {
    group.entries.delete(value);
    if (group.entries.size > 0) return;
    groups.delete(group.key);
    if (lastFound === group) lastFound = null;
  }

  function forgetAll(group: G): void {
    for (const entry of group.entries.values()) {
      forget(entry);
      if (isIdle(entry)) drop(entry);
    }
  }

  function markUsed(group: G): void {
    uses += 1;
    group.lastUse = uses;
  }

  return {
    entryOf,
    groupOf: (query: Query): G | undefined => groups.get(rules.groupKeyOf(query)),
    /** Caches an answer if it is newer than the cached one. Returns whether it was. */
    remember(entry: E, answer: CachedAnswer<T>): boolean {
      if (entry.answer !== null && !isNewer(answer.sentAt, entry.answer.sentAt)) return false;
      forget(entry);
      entry.answer = answer;
      addWeight(entry.group, rules.weightOf(answer));
      return true;
    },
    forget,
    markUsed,
    clearedEpoch: () => clearedEpoch,
    /** Makes room for the new answers of this group. */
    evict(group: G): void {
      markUsed(group);
      if (weight <= maxWeight) return;
      const evictable = [...groups.values()].filter((other) => other !== group && other.weight > 0);
      evictable.sort((one, other) => one.lastUse - other.lastUse);
      for (const other of evictable) if (weight > weightAfterEviction) forgetAll(other);
    },
    /** Removes the entry if nothing needs it. */
    dropIfIdle(entry: E): void {
      if (entry.answer === null && isIdle(entry)) drop(entry);
    },
    /** Removes every answer. Waiting cells keep waiting, but what was sent before this epoch isn't fresh. */
    clear(epoch: number): void {
      clearedEpoch = epoch;
      for (const group of groups.values()) {
        forgetAll(group);
        for (const entry of group.entries.values()) entry.minimumEpoch = epoch;
      }
    },
  };
}

function newGroup<Query, T>(key: number | string, query: Query): Group<Query, T> {
  return {
    key,
    query,
    entries: new Map(),
    weight: 0,
    lastUse: 0,
    queued: [],
    edits: 0,
    sheets: new Set(),
    queue: null,
    isFull: false,
    callsNeeded: 0,
  };
}

function newEntry<Query, T>(group: Group<Query, T>, value: string, minimumEpoch: number): Entry<Query, T> {
  const entry: Entry<Query, T> = {
    value,
    group,
    answer: null,
    minimumEpoch,
    waiters: null,
    isQueued: false,
    carryingCalls: null,
  };
  group.entries.set(value, entry);
  return entry;
}

/** Whether it has no waiter and no call brings it. */
function isIdle<Query, T>(entry: Entry<Query, T>): boolean {
  return !entry.isQueued && entry.carryingCalls === null && entry.waiters === null;
}
