/**
 * What is held of one operation: its entries, in groups, and the bounded memory of their answers, the same for items
 * and for histories. A group's answers are forgotten together, the least recently used group's first, so that keeping
 * the order of use costs once per call and not once per cell; a group that alone holds too much loses those of its
 * entries that came first. What waits is never lost.
 */
import { LRUCache } from "lru-cache";
import { isNewer, type Entry, type Group, isIdle, type CachedAnswer, newEntry, newGroup } from "./entry";

export type Cache<Query, T, Scope> = ReturnType<typeof createCache<Query, T, Scope>>;

export interface CacheRules<Query, T, Scope> {
  /** Equal for those of one group. */
  keyOf(query: Query): number | string;
  /** What those of its group have in common. */
  scopeOf(query: Query): Scope;
  /** What tells it from the others of its group. */
  valueOf(query: Query): string;
  weightOf(answer: CachedAnswer<T>): number;
  /** Whether an entry says something although it has no answer. */
  isNeeded(entry: Entry<T, Scope>): boolean;
}

/** Items, or events of histories. */
const maxWeight = 200_000;

export function createCache<Query, T, Scope>(rules: CacheRules<Query, T, Scope>) {
  type E = Entry<T, Scope>;
  type G = Group<T, Scope>;
  const groups = new Map<number | string, G>();
  // Held in a box, new at each growth, since the cache weighs a value only when it is another object.
  const recent = new LRUCache<number | string, { readonly group: G }>({
    maxSize: maxWeight,
    sizeCalculation: ({ group }) => Math.min(Math.max(1, group.weight), maxWeight),
    dispose: ({ group }, _key, reason) => {
      if (reason === "evict") forgetAll(group);
    },
  });
  let lastUsed: G | null = null;
  /** Sheets ask for the items of a store one after the other. */
  let lastFound: G | null = null;

  /** Made where there is none. */
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

  /** Those of a group that is too large by itself. What waits goes behind the others: it is looked at once for many. */
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
    /** Keeps an answer if it is newer than what is known. True when it was. */
    remember(entry: E, answer: CachedAnswer<T>): boolean {
      if (entry.answer !== null && !isNewer(answer.sentAt, entry.answer.sentAt)) return false;
      forget(entry);
      entry.answer = answer;
      entry.group.weight += weigh(answer);
      return true;
    },
    forget,
    /** Its answers were used. */
    markUsed(group: G): void {
      if (lastUsed === group) return;
      lastUsed = group;
      recent.get(group.key);
    },
    /** It may have new answers. */
    limitWeight(group: G): void {
      forgetFirst(group);
      recent.set(group.key, { group });
    },
    /** The entry may go, if nothing needs it. */
    dropIfIdle(entry: E): void {
      if (entry.answer === null && isIdle(entry) && !rules.isNeeded(entry)) drop(entry);
    },
    /** Forgets every answer; what waits goes on waiting. */
    clear(): void {
      recent.clear();
      for (const group of groups.values()) forgetAll(group);
    },
  };
}
