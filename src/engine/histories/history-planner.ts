/**
 * Plans calls for histories. A group contains the queries that one whole history would answer (same store, GTIN, area and
 * dates). An entry's value is its event type, or "" for the whole history. If the whole history is cached, in flight or needed in
 * the same turn, it answers the queries for its event types, too. `history-cost` decides how they are requested.
 * Invariant: an event type's own answer is cached only while it is newer than the whole history's, and both are evicted
 * together. So a cell never shows an older answer after a newer one.
 */
import type { HistoryEvent, HistoryQuery } from "../../domain/records";
import type { Answer } from "../types";
import { createCache } from "../cache";
import { type Entry, isNewer, type CachedAnswer } from "../entry";
import { type CallKind, createQueue } from "../queue";
import { wholeHistoryKey, wholeQuery } from "../../domain/query-keys";
import type { Batch, Planner } from "../planner-and-codec";
import { type HistoryCosts, planHistory } from "./history-cost";

/** The events of all pages, sorted by time. */
export type Events = readonly HistoryEvent[];
export type HistoryEntry = Entry<HistoryQuery, Events>;
type HistoryBatch = Batch<HistoryQuery, Events>;

export function isWholeHistory({ value }: HistoryEntry): boolean {
  return value === "";
}

export function queryOf({ group, value }: HistoryEntry): HistoryQuery {
  return value === "" ? group.query : { ...group.query, eventType: value };
}

/** Whether an error of the whole history leaves its parts readable. */
export function isUnreadableWhole(entry: HistoryEntry, { code }: { readonly code: string }): boolean {
  return isWholeHistory(entry) && (code === "bad-answer" || code === "too-large");
}

/** Returns the part of a whole history's answer that this entry needs. */
export function partOf<A extends Answer<Events>>(whole: A, eventType: string): A {
  if (!whole.found || eventType === "") return whole;
  return { ...whole, value: whole.value.filter((event) => event.eventType === eventType) };
}

export function createHistoryPlanner(
  costs: HistoryCosts,
  sheetInView: () => string | null,
): Planner<HistoryQuery, Events> {
  const cache = createCache<HistoryQuery, Events>({
    groupKeyOf: wholeHistoryKey,
    sharedOf: wholeQuery,
    valueOf: ({ eventType }) => eventType ?? "",
    weightOf: (answer) => (answer.found ? answer.value.length + 1 : 1),
  });
  const queue = createQueue<HistoryQuery, Events>({
    sheetInView,
    // Single event types may become a whole history with a later request, so they don't fill a call.
    isFull: (group) => costs.of(group.query).isUnreadable || planOf(group.queued).isWhole,
    callsNeededBy: (group) => planOf(group.queued).calls,
  });

  function planOf(entries: readonly HistoryEntry[]): ReturnType<typeof planHistory> {
    return planHistory(costs.of, entries.map(queryOf));
  }

  function remember(entry: HistoryEntry, answer: CachedAnswer<Events>): void {
    const whole = wholeOf(entry)?.answer ?? null;
    if (whole !== null && !isNewer(answer.sentAt, whole.sentAt)) return;
    const isStored = cache.remember(entry, answer);
    if (!isStored || !isWholeHistory(entry)) return;
    for (const part of entry.group.entries.values()) if (part !== entry) forgetOlder(part, answer);
  }

  function forgetOlder(part: HistoryEntry, whole: CachedAnswer<Events>): void {
    if (part.answer !== null && !isNewer(part.answer.sentAt, whole.sentAt)) cache.forget(part);
    cache.dropIfIdle(part);
  }

  function next(kind: CallKind): HistoryBatch | null {
    const group = queue.next(kind);
    if (group === undefined) return null;
    if (planOf(group.queued).isWhole) {
      const waiting = queue.takeFrom(group, group.queued.length);
      const whole = cache.entryOf(group.query);
      // The entries of event types are answered, too.
      return { entries: [whole, ...waiting.filter((entry) => entry !== whole)], isPartFilled: false };
    }
    const entries = queue.takeFrom(group, 1);
    return { entries, isPartFilled: kind !== "edit" && entries[0]?.value !== "" };
  }

  return {
    cache,
    queue,
    queryOf,
    wider: {
      of: wholeOf,
      partOf: (whole, { value }) => partOf(whole, value),
      mayJoin: ({ group }) => !costs.of(group.query).isUnreadable,
    },
    remember,
    next,
    callEnded(call, { answered, unanswered, requeued }) {
      const [lead] = call.entries;
      if (lead === undefined) return;
      cache.evict(lead.group);
      const isUnreadable = unanswered.some(({ error }) => isUnreadableWhole(lead, error));
      if (answered.length === 0 && !isUnreadable) return;
      costs.note(queryOf(lead), { pages: call.pages?.number ?? 1, isUnreadable });
      // Entries that are about to be queued again must stay: the answer to a dropped entry would be lost.
      for (const entry of call.entries) if (!requeued.includes(entry)) cache.dropIfIdle(entry);
    },
  };
}

/** The entry of the whole history that this one is a part of. */
function wholeOf({ group, value }: HistoryEntry): HistoryEntry | undefined {
  return value === "" ? undefined : group.entries.get("");
}
