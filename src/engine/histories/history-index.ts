/**
 * Histories that are held and that wait, in groups of those that one whole history would answer (same store, GTIN, area
 * and dates); an entry's value is its event type, "" for the whole history, whose answer holds those of all event types. A
 * query for one event type takes its part of the whole where that is known, on its way or wanted in the same gathering; how
 * they are asked for is `history-cost`'s rule.
 * Invariant: an event type's own answer is kept only while it is newer than the whole history's, and both are forgotten
 * together; so what has been shown is never followed by something older.
 */
import type { HistoryEvent, HistoryQuery } from "../../domain/records";
import type { Answer } from "../answer";
import { type Entry, type Group, type Call, epochOf, isNewer, callsOf, type Known, newEntry } from "../entry";
import { wholeHistoryKey, wholeQuery } from "../../domain/query-keys";
import { createGroupQueues } from "../group-queues";
import { createGroups } from "../groups";
import type { NextCall, WaitingIndex } from "../lane-types";
import { type SeenHistories, wayOf } from "./history-cost";

/** Of all pages, sorted by time. */
export type Events = readonly HistoryEvent[];
export type HistoryEntry = Entry<Events, HistoryQuery>;
export type HistoryGroup = Group<Events, HistoryQuery>;

export function isWholeHistory({ value }: HistoryEntry): boolean {
  return value === "";
}

export function queryOf({ group, value }: HistoryEntry): HistoryQuery {
  return value === "" ? group.of : { ...group.of, eventType: value };
}

/** Whether each part may be had on its own, although the whole history cannot be read. */
export function isUnreadableWhole(entry: HistoryEntry, { code }: { readonly code: string }): boolean {
  return isWholeHistory(entry) && (code === "bad-answer" || code === "too-large");
}

/** The part of a whole history's answer that this one of its group wants. */
export function partOf<A extends Answer<Events>>(whole: A, eventType: string): A {
  if (!whole.found || eventType === "") return whole;
  return { ...whole, value: whole.value.filter((event) => event.eventType === eventType) };
}

export function createHistoryIndex(
  seen: SeenHistories,
  preferred: () => number,
): WaitingIndex<HistoryQuery, Events, HistoryQuery> {
  const groups = createGroups<HistoryQuery, Events, HistoryQuery>({
    keyOf: wholeHistoryKey,
    ofAll: wholeQuery,
    valueOf: ({ eventType }) => eventType ?? "",
    weightOf: (answer) => (answer.found ? answer.value.length + 1 : 1),
    isNeeded: isOutdating,
  });
  const queues = createGroupQueues<Events, HistoryQuery>({
    preferred,
    // One of a single type may find its whole history later.
    isFull: (group) => seen.of(group.of).isUnreadable || wayOfAll(group.waiting).isWhole,
    callsOf: (group) => wayOfAll(group.waiting).calls,
    mayHaveChanged: () => true,
  });

  function wayOfAll(entries: readonly HistoryEntry[]): ReturnType<typeof wayOf> {
    return wayOf(seen.of, entries.map(queryOf));
  }

  function known({ answer, group, value }: HistoryEntry): Known<Events> | null {
    if (answer !== null) return answer;
    const whole = group.entries.get("")?.answer ?? null;
    return whole === null ? null : partOf(whole, value);
  }

  function remember(entry: HistoryEntry, answer: Known<Events>): boolean {
    const { group, value } = entry;
    const whole = group.entries.get("")?.answer ?? null;
    if (value !== "" && whole !== null && !isNewer(answer.asked, whole.asked)) return false;
    if (!groups.remember(entry, answer)) return false;
    if (value === "") for (const part of group.entries.values()) forgetOlder(part, answer);
    return true;
  }

  function forgetOlder(part: HistoryEntry, whole: Known<Events>): void {
    if (part.value === "") return;
    if (part.answer !== null && !isNewer(part.answer.asked, whole.asked)) groups.forget(part);
    groups.tidy(part);
  }

  function next(kind: Parameters<typeof queues.nextGroup>[0]): NextCall<HistoryEntry> {
    const group = queues.nextGroup(kind);
    if (group === undefined) return null;
    if (wayOfAll(group.waiting).isWhole) {
      return wholeCall(group, queues.takeFrom(group, group.waiting.length));
    }
    const entries = queues.takeFrom(group, 1);
    return { entries, isPartFilled: kind !== "edit" && entries[0]?.value !== "" };
  }

  /** The first history's, in the way in which they will all be asked; one that can be read, where there is one. */
  function firstOf(queries: readonly HistoryQuery[]): NextCall<HistoryEntry> {
    const first = queries.find((query) => !seen.of(query).isUnreadable) ?? queries[0];
    if (first === undefined) return null;
    const key = wholeHistoryKey(first);
    const together = queries.filter((query) => wholeHistoryKey(query) === key).map(groups.entryOf);
    const lead = groups.entryOf(first);
    const { group } = lead;
    const call = wayOfAll(together).isWhole
      ? wholeCall(group, group.waiting)
      : { entries: [lead], isPartFilled: false };
    queues.leave(call.entries);
    return call;
  }

  /** The whole history of this entry's, on its way and new enough. */
  function callAlong({ group, value, wantedEpoch }: HistoryEntry): Call<HistoryEntry> | undefined {
    const whole = group.entries.get("");
    if (whole === undefined || value === "" || seen.of(group.of).isUnreadable) return undefined;
    const calls = callsOf(whole) as readonly Call<HistoryEntry>[];
    return calls.find((call) => epochOf(call, whole) >= wantedEpoch);
  }

  return {
    groups,
    queues,
    // Also of a part that was never asked for, where anything of its history was.
    find: (query) => (groups.groupOf(query) === undefined ? undefined : groups.entryOf(query)),
    sourceOf: (entry) => (entry.answer === null ? (entry.group.entries.get("") ?? entry) : entry),
    known,
    remember,
    shown: ({ group }) => groups.used(group),
    callAlong,
    next,
    firstOf,
    ended(call: Call<HistoryEntry, { readonly number: number }>, { answered, failed, again }) {
      const [lead] = call.entries;
      if (lead === undefined) return;
      groups.grown(lead.group);
      const isUnreadable = failed.some(({ error }) => isUnreadableWhole(lead, error));
      if (answered.length === 0 && !isUnreadable) return;
      seen.note(queryOf(lead), { pages: call.goesOn?.number ?? 1, isUnreadable });
      // Not those that wait again in a moment: an answer to an entry that was let go would be lost.
      for (const entry of call.entries) if (!again.includes(entry)) groups.tidy(entry);
    },
  };
}

/** The whole history, and those of its group that it answers. */
function wholeCall(group: HistoryGroup, waiting: readonly HistoryEntry[]) {
  const whole = group.entries.get("") ?? newEntry(group, "");
  return { entries: [whole, ...waiting.filter((entry) => entry !== whole)], isPartFilled: false };
}

/** A refresh wanted it and did not get it: what the whole history has of it, or may bring yet, is not fresh. */
function isOutdating({ wantedEpoch, group, value }: HistoryEntry): boolean {
  const whole = group.entries.get("");
  if (whole === undefined || value === "" || wantedEpoch === 0) return false;
  return whole.calls !== null || (whole.answer?.asked.epoch ?? Infinity) < wantedEpoch;
}
