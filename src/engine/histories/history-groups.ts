/**
 * Histories as the engine holds them: one entry per query, in groups of those that one whole history would
 * answer (same store, GTIN, area and dates), and the bounded memory of their answers, weighed by events. A query
 * for one event type is answered by its own answer or by its part of the whole one, whichever is newer.
 * Also here: which way of asking is cheaper. Queue and calls are `history-queue`'s and `history-call`'s.
 */
import { LRUCache } from "lru-cache";
import type { HistoryEvent, HistoryQuery } from "../../domain/records";
import { createEntries, type Entries, type EntriesOptions } from "../entries";
import { carried, type Entry, isNewer, type Known, queued } from "../entry";
import { partOf, wholeHistoryKey, wholeQuery } from "./history-key";

export type Events = readonly HistoryEvent[];

export interface HistoryEntry extends Entry<Events> {
  readonly query: HistoryQuery;
  readonly group: HistoryGroup;
  /** Pages it had when last read: 1 until then, Infinity when it could not be read to its end. */
  pages: number;
  /** Bits of the sheets that wait for it. */
  sheets: number;
}

export interface HistoryGroup {
  readonly key: string;
  /** By event type; "" is the whole history. */
  readonly entries: Map<string, HistoryEntry>;
  /** In the queue. Each is `queued`. */
  readonly waiting: Set<HistoryEntry>;
}

export interface HistoryGroups {
  readonly entries: Entries<Events, HistoryEntry>;
  entryOf(query: HistoryQuery): HistoryEntry;
  find(query: HistoryQuery): HistoryEntry | undefined;
  /** The entry of the whole history, made where there is none. */
  wholeOf(group: HistoryGroup): HistoryEntry;
  /** The newest that is known, own or part of the whole, however old. */
  known(query: HistoryQuery): Known<Events> | null;
  /** The same if it may be given again without a call. */
  fresh(query: HistoryQuery): Known<Events> | null;
  /** The whole history that it rode on has come, or was known. */
  answeredByWhole(entry: HistoryEntry): void;
  /** The entry has a new answer, or none and nobody waits for it. */
  changed(entry: HistoryEntry): void;
  pagesOf(query: HistoryQuery): number;
  clear(): void;
}

const eventsHeld = 200_000;

export function createHistoryGroups(options: EntriesOptions): HistoryGroups {
  const entries = createEntries<Events, HistoryEntry>(options, ({ query }) => known(query));
  const groups = new Map<string, HistoryGroup>();
  // Held in a box, new at each answer, since the cache weighs a value only when it is another object.
  const recent = new LRUCache<HistoryEntry, { readonly entry: HistoryEntry }>({
    maxSize: eventsHeld,
    sizeCalculation: ({ entry }) =>
      entry.answer?.found === true ? Math.min(entry.answer.value.length + 1, eventsHeld) : 1,
    dispose: ({ entry }, _key, reason) => {
      if (reason === "evict") forget(entry);
    },
  });

  function find(query: HistoryQuery): HistoryEntry | undefined {
    return groups.get(wholeHistoryKey(query))?.entries.get(query.eventType ?? "");
  }

  function entryOf(query: HistoryQuery): HistoryEntry {
    return find(query) ?? addEntry(groupOf(wholeHistoryKey(query)), query);
  }

  function groupOf(key: string): HistoryGroup {
    const known = groups.get(key);
    if (known !== undefined) return known;
    const group: HistoryGroup = { key, entries: new Map(), waiting: new Set() };
    groups.set(key, group);
    return group;
  }

  function addEntry(group: HistoryGroup, query: HistoryQuery): HistoryEntry {
    const idle = { answer: null, wantedEpoch: 0, first: null, last: null, state: 0 };
    const entry: HistoryEntry = { ...idle, query, group, pages: 1, sheets: 0 };
    group.entries.set(query.eventType ?? "", entry);
    return entry;
  }

  function wholeOf(group: HistoryGroup): HistoryEntry {
    const whole = group.entries.get("");
    if (whole !== undefined) return whole;
    const [any] = group.entries.values();
    if (any === undefined) throw new Error("A group of histories without a history.");
    return addEntry(group, wholeQuery(any.query));
  }

  function known(query: HistoryQuery): Known<Events> | null {
    const group = groups.get(wholeHistoryKey(query));
    const own = group?.entries.get(query.eventType ?? "")?.answer ?? null;
    if (group === undefined || query.eventType === undefined) return own;
    const whole = group.entries.get("")?.answer ?? null;
    if (whole === null || (own !== null && isNewer(own.asked, whole.asked))) return own;
    return partOf(whole, query.eventType);
  }

  function fresh(query: HistoryQuery): Known<Events> | null {
    const answer = known(query);
    if (answer === null) return null;
    const own = find(query);
    const whole = groups.get(wholeHistoryKey(query))?.entries.get("");
    const isOwn = answer.asked === own?.answer?.asked;
    const wantedEpoch = Math.max(own?.wantedEpoch ?? 0, isOwn ? 0 : (whole?.wantedEpoch ?? 0));
    if (!entries.isFresh(answer, wantedEpoch)) return null;
    const source = isOwn ? own : whole;
    if (source !== undefined) recent.get(source);
    // From now on the newer one has been seen, so the older must not come back when that is forgotten.
    if (!isOwn && own !== undefined) dropAnswer(own);
    return answer;
  }

  function dropAnswer(entry: HistoryEntry): void {
    entry.answer = null;
    recent.delete(entry);
  }

  function answeredByWhole(entry: HistoryEntry): void {
    const newest = known(entry.query);
    if (newest !== null) entries.answered(entry, newest);
    // The part stays with the whole one; an answer of its own that is newer stays too.
    if (entry.answer !== null && entry.answer.asked === entry.group.entries.get("")?.answer?.asked) {
      dropAnswer(entry);
    }
    changed(entry);
  }

  function changed(entry: HistoryEntry): void {
    if (entry.answer !== null) recent.set(entry, { entry });
    else if ((entry.state & (queued | carried)) === 0) remove(entry);
  }

  /** What waits goes on waiting; what was learnt of pages is kept while the group has other entries. */
  function forget(entry: HistoryEntry): void {
    entry.answer = null;
    if ((entry.state & (queued | carried)) === 0) remove(entry);
  }

  function remove({ group, query, pages }: HistoryEntry): void {
    const isLearnt = query.eventType === undefined && pages !== 1;
    if (!isLearnt) group.entries.delete(query.eventType ?? "");
    const isEmpty = [...group.entries.values()].every(({ answer, state }) => answer === null && state === 0);
    if (isEmpty) groups.delete(group.key);
  }

  return {
    entries,
    entryOf,
    find,
    wholeOf,
    known,
    fresh,
    answeredByWhole,
    changed,
    pagesOf: (query) => find(query)?.pages ?? 1,
    clear() {
      recent.clear();
      const all = [...groups.values()].flatMap((group) => [...group.entries.values()]);
      all.forEach(forget);
    },
  };
}

/** What so many pages of the whole history and of each wanted type cost, and which of the two ways is cheaper. */
export function cheaperWay(
  wholePages: number,
  partPages: readonly number[],
): { isWhole: boolean; calls: number } {
  const parts = partPages.reduce((sum, pages) => sum + pages, 0);
  // A single type goes with its filter: nobody asked for the rest. Of two equals the whole serves more.
  const isWhole = partPages.length > 1 && wholePages < Infinity && wholePages <= parts;
  return { isWhole, calls: isWhole ? wholePages : parts };
}
