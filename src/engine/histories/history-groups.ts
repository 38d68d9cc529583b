/**
 * Histories as the engine holds them: one entry per query, in groups of those that one whole history would answer
 * (same store, GTIN, area and dates), and the bounded memory of their answers, weighed by events. A query for one event
 * type is answered by its own answer or by its part of the whole one, whichever is newer. What waits and which calls
 * are made is `history-index`'s.
 * Invariant: what has been shown is not followed by something older, when the newer is forgotten.
 */
import { LRUCache } from "lru-cache";
import { wholeHistoryKey, wholeQuery } from "../../domain/query-keys";
import type { HistoryEvent, HistoryQuery } from "../../domain/records";
import type { Answer } from "../answer";
import { isNewer } from "../call";
import { type Entry, isIdle, type Known } from "../entry";
import { emptyGroup, type Group } from "../group-queues";
import type { Memory } from "../waiting-index";

export type Events = readonly HistoryEvent[];

/** What reading a history costs, as far as it was seen: one page until then. */
export interface Seen {
  /** Calls that it took when last read, to its end or as far as it could be. */
  pages: number;
  isUnreadable: boolean;
}

export const unseen: Seen = { pages: 1, isUnreadable: false };

export interface HistoryEntry extends Entry<Events>, Seen {
  readonly query: HistoryQuery;
  readonly group: HistoryGroup;
}

export interface HistoryGroup extends Group<HistoryEntry> {
  readonly key: string;
  /** By event type; "" is the whole history. */
  readonly entries: Map<string, HistoryEntry>;
}

/** The answer of one event type's entry is its own, or its part of the whole history's. */
export type HistoryGroups = Memory<HistoryQuery, Events, HistoryEntry>;

const eventsHeld = 200_000;

export function createHistoryGroups(): HistoryGroups {
  const groups = new Map<string, HistoryGroup>();
  // Held in a box, new at each answer, since the cache weighs a value only when it is another object.
  const recent = new LRUCache<HistoryEntry, { readonly entry: HistoryEntry }>({
    maxSize: eventsHeld,
    sizeCalculation: ({ entry }) =>
      entry.answer?.found === true ? Math.min(entry.answer.value.length + 1, eventsHeld) : 1,
    dispose: ({ entry }, _key, reason) => {
      if (reason !== "evict") return;
      entry.answer = null;
      tidy(entry.group);
    },
  });

  function entryOf(query: HistoryQuery): HistoryEntry {
    const key = wholeHistoryKey(query);
    const group = groups.get(key) ?? addGroup(key);
    return group.entries.get(query.eventType ?? "") ?? addEntry(group, query);
  }

  function addGroup(key: string): HistoryGroup {
    const group: HistoryGroup = { ...emptyGroup, waiting: [], key, entries: new Map() };
    groups.set(key, group);
    return group;
  }

  function sourceOf(entry: HistoryEntry): HistoryEntry {
    const whole = entry.group.entries.get("");
    if (whole === undefined || whole.answer === null) return entry;
    return entry.answer !== null && isNewer(entry.answer.asked, whole.answer.asked) ? entry : whole;
  }

  function known(entry: HistoryEntry): Known<Events> | null {
    const { answer } = sourceOf(entry);
    return answer === null ? null : partOf(answer, entry.query.eventType);
  }

  function remember(entry: HistoryEntry, answer: Known<Events>): void {
    const source = sourceOf(entry);
    if (source.answer === null || isNewer(answer.asked, source.answer.asked)) {
      entry.answer = answer;
      recent.set(entry, { entry });
    } else {
      forgetOlder(entry, source);
    }
  }

  /** A whole history's own answer is its source, and stays. */
  function forgetOlder(entry: HistoryEntry, source: HistoryEntry): void {
    if (source === entry) return;
    entry.answer = null;
    recent.delete(entry);
  }

  /** What was learnt of pages is kept while the group holds anything; that it cannot be read, in any case. */
  function tidy(group: HistoryGroup): void {
    const all = [...group.entries.values()];
    const holds = (entry: HistoryEntry): boolean =>
      entry.answer !== null || entry.isUnreadable || !isIdle(entry);
    if (!all.some(holds)) {
      groups.delete(group.key);
      return;
    }
    const whole = group.entries.get("");
    for (const entry of all) {
      const isNeeded = holds(entry) || entry.pages !== 1 || outdates(entry, whole);
      if (!isNeeded) group.entries.delete(entry.query.eventType ?? "");
    }
  }

  return {
    entryOf,
    // Also of a part that was never asked for, where anything of its history was.
    find: (query) => (groups.has(wholeHistoryKey(query)) ? entryOf(query) : undefined),
    sourceOf,
    known,
    remember,
    shown(entry) {
      const source = sourceOf(entry);
      recent.get(source);
      forgetOlder(entry, source);
    },
    tidy: ({ group }) => tidy(group),
    clear() {
      recent.clear();
      for (const group of groups.values()) {
        for (const entry of group.entries.values()) entry.answer = null;
        tidy(group);
      }
    },
  };
}

/** A refresh wanted it and did not get it: what the whole history has of it, or may bring yet, is not fresh. */
function outdates({ wantedEpoch }: HistoryEntry, whole: HistoryEntry | undefined): boolean {
  if (whole === undefined || wantedEpoch === 0) return false;
  return whole.calls !== null || (whole.answer?.asked.epoch ?? Infinity) < wantedEpoch;
}

/** The entry of the whole history, made where there is none. */
export function wholeOf(group: HistoryGroup): HistoryEntry {
  const [any] = group.entries.values();
  if (any === undefined) throw new Error("A group of histories without a history.");
  return group.entries.get("") ?? addEntry(group, wholeQuery(any.query));
}

/** Whether each part may be had on its own, although the whole history cannot be read. */
export function isUnreadableWhole({ query }: HistoryEntry, { code }: { readonly code: string }): boolean {
  return query.eventType === undefined && (code === "bad-answer" || code === "too-large");
}

/** The part of a whole history's answer that a query for one event type wants. */
export function partOf<A extends Answer<Events>>(whole: A, eventType: string | undefined): A {
  if (!whole.found || eventType === undefined) return whole;
  return { ...whole, value: whole.value.filter((event) => event.eventType === eventType) };
}

function addEntry(group: HistoryGroup, query: HistoryQuery): HistoryEntry {
  const entry: HistoryEntry = {
    query,
    group,
    ...unseen,
    answer: null,
    wantedEpoch: 0,
    first: null,
    last: null,
    cells: 0,
    isQueued: false,
    calls: null,
    older: null,
  };
  group.entries.set(query.eventType ?? "", entry);
  return entry;
}
