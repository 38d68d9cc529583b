/**
 * Histories that wait, and how they are asked for. There is no batch call, so calls are saved by sharing: a query for
 * one event type takes its part of the whole history when that is on its way or wanted in the same gathering. Where two
 * or more types are wanted together, the cheaper of the two ways is taken: the whole history costs the pages it was
 * last seen to have, filters cost theirs; a single type goes with its filter.
 * What is known already is `history-groups`'.
 */
import { wholeHistoryKey } from "../../domain/query-keys";
import type { HistoryQuery } from "../../domain/records";
import { type Call, epochOf } from "../call";
import { callsOf } from "../entry";
import { createGroupQueues } from "../group-queues";
import type { NextCall, WaitingIndex } from "../waiting-index";
import {
  type Events,
  type HistoryEntry,
  type HistoryGroup,
  type HistoryGroups,
  isUnreadableWhole,
  wholeOf,
} from "./history-groups";
import type { Pages } from "./history-wire";

export function createHistoryIndex(
  groups: HistoryGroups,
  preferred: () => number,
): WaitingIndex<HistoryQuery, Events, HistoryEntry> {
  const queues = createGroupQueues<HistoryEntry, HistoryGroup>({
    preferred,
    // One of a single type may find its whole history later.
    isFull: (group) => goesWhole(group) || wholePages(group) === Infinity,
    callsOf: (group) => (goesWhole(group) ? wholePages(group) : group.waiting.length),
  });

  function next(kind: Parameters<typeof queues.nextGroup>[0]): NextCall<HistoryEntry> {
    const group = queues.nextGroup(kind);
    if (group === undefined) return null;
    if (!goesWhole(group)) {
      const entries = queues.takeFrom(group, 1);
      return { entries, isPartFilled: kind !== "edit" && entries[0]?.query.eventType !== undefined };
    }
    const whole = wholeOf(group);
    const parts = queues.takeFrom(group, group.waiting.length).filter((entry) => entry !== whole);
    return { entries: [whole, ...parts], isPartFilled: false };
  }

  /** The first history's, in the way in which they will all be asked. */
  function firstOf(queries: readonly HistoryQuery[]): NextCall<HistoryEntry> {
    const [first] = queries;
    if (first === undefined) return null;
    const key = wholeHistoryKey(first);
    const together = queries.filter((query) => wholeHistoryKey(query) === key).map(groups.entryOf);
    const lead = groups.entryOf(first);
    const { group } = lead;
    const isWhole =
      together.some(({ query }) => query.eventType === undefined) ||
      cheaperWay(
        wholePages(group),
        together.map(({ pages }) => pages),
      ).isWhole;
    const entries = isWhole ? [wholeOf(group), ...partsWaiting(group)] : [lead];
    queues.leave(entries);
    return { entries, isPartFilled: false };
  }

  /** The whole history of this entry's, on its way and new enough. */
  function callAlong({ query, group, wantedEpoch }: HistoryEntry): Call<HistoryEntry> | undefined {
    const whole = group.entries.get("");
    if (whole === undefined || query.eventType === undefined || whole.pages === Infinity) return undefined;
    const calls = callsOf(whole) as readonly Call<HistoryEntry>[];
    return calls.find((call) => epochOf(call, whole) >= wantedEpoch);
  }

  return {
    ...groups,
    ...queues,
    callAlong,
    next,
    firstOf,
    ended(call: Call<HistoryEntry, Pages>, { answered, failed }) {
      const [lead] = call.entries;
      if (lead === undefined) return;
      if (answered[0]?.answer.found === true) lead.pages = call.goesOn?.number ?? 1;
      else if (failed.some(({ error }) => isUnreadableWhole(lead, error))) lead.pages = Infinity;
    },
  };
}

/** What so many pages of the whole history and of each wanted type cost, and which of the two ways is cheaper. */
export function cheaperWay(
  pagesOfWhole: number,
  pagesOfParts: readonly number[],
): { isWhole: boolean; calls: number } {
  const parts = pagesOfParts.reduce((sum, pages) => sum + pages, 0);
  // A single type goes with its filter: nobody asked for the rest. Of two equals the whole serves more.
  const isWhole = pagesOfParts.length > 1 && pagesOfWhole < Infinity && pagesOfWhole <= parts;
  return { isWhole, calls: isWhole ? pagesOfWhole : parts };
}

/** Whether what waits of this group goes as the whole history. */
function goesWhole(group: HistoryGroup): boolean {
  if (wholePages(group) === Infinity) return false;
  if (group.waiting.some(({ query }) => query.eventType === undefined)) return true;
  return cheaperWay(
    wholePages(group),
    group.waiting.map(({ pages }) => pages),
  ).isWhole;
}

/** Parts that go along with the whole history, where that can be read. */
function partsWaiting(group: HistoryGroup): HistoryEntry[] {
  if (wholePages(group) === Infinity) return [];
  return group.waiting.filter(({ query }) => query.eventType !== undefined);
}

/** Pages of the whole history when last read; 1 until then. */
function wholePages(group: HistoryGroup): number {
  return group.entries.get("")?.pages ?? 1;
}
