/**
 * What a piece of work costs before it is begun: pure counting, by the same rules by which calls are made
 * up. Search calls are exact; histories count the pages they were last seen to have.
 */
import type { Environment, Operation } from "../domain/environment";
import type { HistoryQuery, ItemQuery } from "../domain/records";
import { groupKey, wholeHistoryKey, wholeQuery } from "../domain/query-keys";
import { itemsPerCall } from "./items/item-index";
import { type Seen, type Wanted, wayOf } from "./histories/history-cost";
import type { Quota, SendingPace } from "./send/quota";
import type { Price, Work } from "./types";

export interface Pace extends SendingPace {
  readonly environment: Environment;
  readonly quotas: Readonly<Record<Operation, Quota>>;
}

/** How many of each operation. */
type Calls = Readonly<Record<Operation, number>>;

type SeenOf = (query: HistoryQuery) => Seen;

/** Without a pace (nothing is connected) only the calls are known. */
export function priceOf(work: Work, seen: SeenOf, pace: Pace | null): Price {
  const calls = { search: countSearchCalls(work.items), events: countPages(work.histories, seen) };
  return {
    searchCalls: calls.search,
    eventCallsAtLeast: calls.events,
    quotaShare: pace === null ? 0 : quotaShare(calls, pace.environment),
    durationMs: pace === null ? 0 : refreshMs(calls, pace),
  };
}

/** How long so many calls take from now: the slower of the quota's pace and that of the connections. */
export function durationOf(calls: Calls, pace: Pace): number {
  const total = calls.search + calls.events;
  if (total === 0) return 0;
  const sendingMs = Math.ceil(total / pace.connections) * pace.latencyMs;
  const waits = (["search", "events"] as const).map((operation) =>
    pace.quotas[operation].waitForMs(calls[operation], pace),
  );
  const longestWaitMs = Math.max(...waits);
  return Math.round(longestWaitMs === 0 ? sendingMs : Math.max(sendingMs, longestWaitMs + pace.latencyMs));
}

/** A refresh sends its first call alone, to be sure of it. */
function refreshMs(calls: Calls, pace: Pace): number {
  const { search, events } = calls;
  if (search + events === 0) return 0;
  const others = search > 0 ? { search: search - 1, events } : { search, events: events - 1 };
  return Math.round(pace.latencyMs) + durationOf(others, pace);
}

/** Part of a minute's quota, for the operation that needs the larger part. */
export function quotaShare(calls: Calls, { quota }: Environment): number {
  return Math.max(calls.search / quota.search, calls.events / quota.events);
}

function countSearchCalls(items: readonly ItemQuery[]): number {
  const groups = new Map<number, number>();
  for (const { storeNumber, itemType } of items) {
    const key = groupKey(storeNumber, itemType);
    groups.set(key, (groups.get(key) ?? 0) + 1);
  }
  let calls = 0;
  for (const count of groups.values()) calls += Math.ceil(count / itemsPerCall);
  return calls;
}

function countPages(histories: readonly HistoryQuery[], seen: SeenOf): number {
  const groups = new Map<string, { whole: Seen; wanted: Wanted[] }>();
  for (const query of histories) {
    const key = wholeHistoryKey(query);
    const group = groups.get(key) ?? { whole: seen(wholeQuery(query)), wanted: [] };
    group.wanted.push({ seen: seen(query), isWhole: query.eventType === undefined });
    groups.set(key, group);
  }
  let calls = 0;
  for (const { whole, wanted } of groups.values()) calls += wayOf(whole, wanted).calls;
  return calls;
}
