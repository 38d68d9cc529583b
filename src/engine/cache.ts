/**
 * The cache of one operation: its entries in groups, with bounded memory for their answers. It evicts the answers of the least
 * recently used group together, so that the order of use costs once per call and not once per cell. A group that is too large
 * by itself loses its oldest entries. Entries with waiting cells are never removed.
 */
import { LRUCache } from "lru-cache";
import { isNewer, type Entry, type Group, isIdle, type CachedAnswer, newEntry, newGroup } from "./entry";

export type Cache<Query, T, Scope> = ReturnType<typeof createCache<Query, T, Scope>>;

export interface CacheRules<Query, T, Scope> {
  /** Equal for the entries of one group. */
  keyOf(query: Query): number | string;
  /** What the entries of the group share. */
  scopeOf(query: Query): Scope;
  /** Unique in the group. */
  valueOf(query: Query): string;
  weightOf(answer: CachedAnswer<T>): number;
  /** Whether an entry without an answer is still needed. */
  isNeeded(entry: Entry<T, Scope>): boolean;
}

/** The largest weight: items, or events of histories. */
const maxWeight = 200_000;

export function createCache<Query, T, Scope>(rules: CacheRules<Query, T, Scope>) {
  type E = Entry<T, Scope>;
  type G = Group<T, Scope>;
  const groups = new Map<number | string, G>();
  // The box is a new object after each change, because the LRU cache weighs a value only when it is stored as another object.
  const recent = new LRUCache<number | string, { readonly group: G }>({
    maxSize: maxWeight,
    sizeCalculation: ({ group }) => Math.min(Math.max(1, group.weight), maxWeight),
    dispose: ({ group }, _key, reason) => {
      if (reason === "evict") forgetAll(group);
    },
  });
  let lastUsed: G | null = null;
  /** The last group: sheets request the items of a store one after another. */
  let lastFound: G | null = null;

  /** Returns the query's entry, and creates it if there is none. */
  function entryOf(query: Query): E {
    const key = rules.keyOf(query);
    if (lastFound?.key !== key) lastFound = groups.get(key) ?? add(newGroup(key, rules.scopeOf(query)));
    const value = rules.valueOf(query);
    return lastFound.entries.get(value) ?? newEntry(lastFound, value);
  }

  function add(group: G): G {
    groups.set(group.key, group);
    return group;
  }

  function weigh(answer: CachedAnswer<T>): number {
    return Math.min(rules.weightOf(answer), maxWeight);
  }

  function forget(entry: E): void {
    if (entry.answer === null) return;
    entry.group.weight -= weigh(entry.answer);
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

  /** Evicts entries of a group that is too large by itself. Waiting entries move to the end, so that each is checked once. */
  function forgetFirst(group: G): void {
    let left = group.entries.size;
    for (const entry of group.entries.values()) {
      if (group.weight <= maxWeight || left === 0) return;
      left -= 1;
      forget(entry);
      group.entries.delete(entry.value);
      if (!isIdle(entry)) group.entries.set(entry.value, entry);
    }
  }

  return {
    entryOf,
    groupOf: (query: Query): G | undefined => groups.get(rules.keyOf(query)),
    find: (query: Query): E | undefined => groups.get(rules.keyOf(query))?.entries.get(rules.valueOf(query)),
    /** Caches an answer if it is newer than the cached one. Returns whether it was. */
    remember(entry: E, answer: CachedAnswer<T>): boolean {
      if (entry.answer !== null && !isNewer(answer.sentAt, entry.answer.sentAt)) return false;
      forget(entry);
      entry.answer = answer;
      entry.group.weight += weigh(answer);
      return true;
    },
    forget,
    /** Marks the group as recently used. */
    markUsed(group: G): void {
      if (lastUsed === group) return;
      lastUsed = group;
      recent.get(group.key);
    },
    /** Weighs the group again, because it may have new answers. */
    limitWeight(group: G): void {
      forgetFirst(group);
      recent.set(group.key, { group });
    },
    /** Removes the entry if nothing needs it. */
    dropIfIdle(entry: E): void {
      if (entry.answer === null && isIdle(entry) && !rules.isNeeded(entry)) drop(entry);
    },
    /** Removes every answer. Waiting cells keep waiting. */
    clear(): void {
      recent.clear();
      for (const group of groups.values()) forgetAll(group);
    },
  };
}
