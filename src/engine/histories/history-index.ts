/**
 * Histories that wait, and how they are asked for. There is no batch call, so calls are saved by sharing: a query for
 * one event type takes its part of the whole history when that is on its way or wanted in the same gathering. Where two
 * or more types are wanted together, the cheaper of the two ways is taken: the whole history costs the pages it was
 * last seen to have, filters cost theirs; a single type goes with its filter. A whole history that could not be read is
 * tried again where it is wanted itself, and its parts go on their own. The price is told by the same rule.
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
  type Seen,
  unseen,
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
    isFull: (group) => group.entries.get("")?.isUnreadable === true || wayOfWaiting(group).isWhole,
    callsOf: (group) => wayOfWaiting(group).calls,
  });

  function next(kind: Parameters<typeof queues.nextGroup>[0]): NextCall<HistoryEntry> {
    const group = queues.nextGroup(kind);
    if (group === undefined) return null;
    if (!wayOfWaiting(group).isWhole) {
      const entries = queues.takeFrom(group, 1);
      return { entries, isPartFilled: kind !== "edit" && entries[0]?.query.eventType !== undefined };
    }
    const whole = wholeOf(group);
    const parts = queues.takeFrom(group, group.waiting.length).filter((entry) => entry !== whole);
    return { entries: [whole, ...parts], isPartFilled: false };
  }

  /** The first history's, in the way in which they will all be asked; one that can be read, where there is one. */
  function firstOf(queries: readonly HistoryQuery[]): NextCall<HistoryEntry> {
    const first = queries.find((query) => groups.find(query)?.isUnreadable !== true) ?? queries[0];
    if (first === undefined) return null;
    const key = wholeHistoryKey(first);
    const together = queries.filter((query) => wholeHistoryKey(query) === key).map(groups.entryOf);
    const lead = groups.entryOf(first);
    const whole = wholeOf(lead.group);
    const isWhole = wayOf(whole, together).isWhole;
    const parts = lead.group.waiting.filter((entry) => entry !== whole);
    const entries = isWhole ? [whole, ...parts] : [lead];
    queues.leave(entries);
    return { entries, isPartFilled: false };
  }

  /** The whole history of this entry's, on its way and new enough. */
  function callAlong({ query, group, wantedEpoch }: HistoryEntry): Call<HistoryEntry> | undefined {
    const whole = group.entries.get("");
    if (whole === undefined || query.eventType === undefined || whole.isUnreadable) return undefined;
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
      const isUnreadable = failed.some(({ error }) => isUnreadableWhole(lead, error));
      if (answered.length === 0 && !isUnreadable) return;
      lead.pages = call.goesOn?.number ?? 1;
      lead.isUnreadable = isUnreadable;
    },
  };
}

/** What is wanted of one history, as far as its cost goes. */
export interface Wanted extends Seen {
  readonly query: Pick<HistoryQuery, "eventType">;
}

/** How these of one history are asked for, and in how many calls. */
export function wayOf(whole: Seen, wanted: readonly Wanted[]): { isWhole: boolean; calls: number } {
  const apart = wanted.reduce((sum, { pages }) => sum + pages, 0);
  const isWholeWanted = wanted.some(({ query }) => query.eventType === undefined);
  // A single type goes with its filter: nobody asked for the rest. Of two equals the whole serves more.
  const isCheaper = wanted.length > 1 && whole.pages <= apart;
  const isWhole = !whole.isUnreadable && (isWholeWanted || isCheaper);
  return { isWhole, calls: isWhole ? whole.pages : apart };
}

function wayOfWaiting(group: HistoryGroup): ReturnType<typeof wayOf> {
  return wayOf(group.entries.get("") ?? unseen, group.waiting);
}
