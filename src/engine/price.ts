/**
 * What work will cost: counts calls by the rules with which they are assembled. Search calls are exact. Histories count the
 * pages that they had last time.
 */
import type { Environment, Operation } from "../domain/environment";
import type { HistoryQuery, ItemQuery } from "../domain/records";
import { groupKey, wholeHistoryKey } from "../domain/query-keys";
import { itemsPerCall } from "./items/item-planner";
import { type CostOf, planHistory } from "./histories/history-cost";
import type { Quota, SendingPace } from "./scheduler/quota";
import type { Price, Work } from "./types";

export interface Pace extends SendingPace {
  readonly environment: Environment;
  readonly quotas: Readonly<Record<Operation, Quota>>;
}

/** Calls of each operation. */
type Calls = Readonly<Record<Operation, number>>;

/** Returns the price of work. Without a pace (no connection) only the calls are known. */
export function priceOf(work: Work, costOf: CostOf, pace: Pace | null): Price {
  const calls = { search: countSearchCalls(work.items), events: countPages(work.histories, costOf) };
  return {
    searchCalls: calls.search,
    eventCallsAtLeast: calls.events,
    durationMs: pace === null ? 0 : refreshMs(calls, pace),
  };
}

/** Returns how long the calls take from now. The quota or the connections limit them, whichever is slower. */
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

/** A refresh sends its first call alone, as a probe. */
function refreshMs(calls: Calls, pace: Pace): number {
  const { search, events } = calls;
  if (search + events === 0) return 0;
  const afterProbe = search > 0 ? { search: search - 1, events } : { search, events: events - 1 };
  return Math.round(pace.latencyMs) + durationOf(afterProbe, pace);
}

function countSearchCalls(items: readonly ItemQuery[]): number {
  const groups = grouped(items, ({ storeNumber, itemType }) => groupKey(storeNumber, itemType));
  return groups.reduce((sum, { length }) => sum + Math.ceil(length / itemsPerCall), 0);
}

function countPages(histories: readonly HistoryQuery[], costOf: CostOf): number {
  return grouped(histories, wholeHistoryKey).reduce(
    (sum, group) => sum + planHistory(costOf, group).calls,
    0,
  );
}

function grouped<Query>(queries: readonly Query[], keyOf: (query: Query) => string | number): Query[][] {
  const groups = new Map<string | number, Query[]>();
  for (const query of queries) {
    const key = keyOf(query);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [query]);
    else group.push(query);
  }
  return [...groups.values()];
}
