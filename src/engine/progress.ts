/**
 * What a person sees about work: how far it is, what is left, and what it will cost. The counts are updated while cells wait; all
 * estimates are calculated when somebody reads them. A price counts calls by the rules with which they are assembled.
 * Invariant: every requested cell is in exactly one of waiting, in flight, done and failed.
 */
import type { Environment, Operation } from "../domain/environment";
import { createChangeNotices } from "../domain/notices";
import { groupKey, wholeHistoryKey } from "../domain/query-keys";
import type { HistoryQuery, ItemQuery } from "../domain/records";
import type { Clock } from "./clock";
import { type CostOf, planHistory } from "./histories/history-cost";
import { itemsPerCall } from "./items/item-planner";
import type { Quota, SendingPace } from "./scheduler/quota";
import type { Spending } from "./scheduler/spending";
import type { Fault, Price, Progress, QuotaUse, SpendingQuestion, Work } from "./types";

export type ProgressTracker = ReturnType<typeof createProgressTracker>;

/** The state of a requested cell. */
export type Stage = "waiting" | "inFlight" | "done" | "failed";

/** Bursts that are closer than this count as one. */
const idleMs = 1_000;

/**
 * Counts the work since the engine was last idle. The counts change in place, because a snapshot per cell would cost more than the
 * cell. Whether they start again is decided once a turn, not at each request.
 */
export function createProgressTracker(clock: Clock) {
  const cells = { requested: 0, waiting: 0, inFlight: 0, done: 0, failed: 0 };
  const calls = { sent: 0, savedRequests: 0 };
  const notices = createChangeNotices(clock);
  /** Counts of the work before, as they were when it had ended. */
  let endedCells = { ...cells };
  let endedCalls = { ...calls };
  let activeAtMs = -Infinity;
  let wasBusy = false;
  let hasCalls = false;
  let isSettling = false;

  function isBusy(): boolean {
    return cells.waiting > 0 || cells.inFlight > 0 || isSettling || hasCalls;
  }

  /** Leaves out the work before if this work began after a pause. */
  function startAgainAfterPause(nowMs: number): void {
    const hasBegun = cells.requested !== endedCells.requested;
    if (hasBegun && !wasBusy && nowMs - activeAtMs >= idleMs) leaveOutEnded();
  }

  function leaveOutEnded(): void {
    cells.requested -= endedCells.requested;
    cells.done -= endedCells.done;
    cells.failed -= endedCells.failed;
    calls.sent -= endedCalls.sent;
    calls.savedRequests -= endedCalls.savedRequests;
    endedCells = { requested: 0, waiting: 0, inFlight: 0, done: 0, failed: 0 };
    endedCalls = { sent: 0, savedRequests: 0 };
  }

  /** Call this once in a turn in which something has happened. */
  function changed(): void {
    const nowMs = clock.steadyNow();
    startAgainAfterPause(nowMs);
    const busy = isBusy();
    // When the work ends, the idle time starts now, even if its last call took long.
    if (busy || wasBusy || cells.requested !== endedCells.requested) activeAtMs = nowMs;
    wasBusy = busy;
    if (!busy) {
      endedCells = { ...cells };
      endedCalls = { ...calls };
    }
    notices.changed();
  }

  return {
    /** Counts one more requested cell. */
    enter(stage: Stage): void {
      cells.requested += 1;
      cells[stage] += 1;
    },
    move(from: Stage, to: Stage, count: number): void {
      cells[from] -= count;
      cells[to] += count;
    },
    sent: () => void (calls.sent += 1),
    /** Counts a request that needed no call of its own. */
    saved: () => void (calls.savedRequests += 1),
    counts(): Pick<Progress, "cells" | "calls"> {
      startAgainAfterPause(clock.steadyNow());
      return { cells: { ...cells }, calls: { ...calls } };
    },
    isBusy,
    /** Starts the counts again for a refresh, unless other work is under way. */
    beginRefresh(): void {
      activeAtMs = clock.steadyNow();
      if (!isBusy()) {
        endedCells = { ...cells };
        endedCalls = { ...calls };
        leaveOutEnded();
      }
      notices.changed();
    },
    changed,
    /** Whether calls are queued or in flight, after a look of the pipeline. */
    noteCalls(has: boolean): void {
      hasCalls = has;
      changed();
    },
    /** Whether cells wait for a later turn to be settled. */
    noteSettling: (is: boolean) => void (isSettling = is),
    /** Calls the listener after changes, about ten times a second and once at the end. Returns the unsubscribe function. */
    subscribe: (listener: () => void) => notices.subscribe(listener),
  };
}

/** What the estimates read of the current connection. */
interface WaitingWork {
  hasQueued(): boolean;
  inFlight(): number;
  queuedCalls(): Calls;
  faults(): readonly Fault[];
  /** Whether nothing has succeeded since the last failure. The time left is then unknown. */
  isDoubtful(): boolean;
}

const unused: QuotaUse = { used: 0, limit: 0, resumesAtMs: null };

/** Only reads. Times that people see are converted from the steady clock to the system clock. */
export function createEstimates(options: {
  readonly clock: Clock;
  readonly tracker: ProgressTracker;
  readonly spending: Spending;
  /** Null without credentials. */
  readonly pace: () => Pace | null;
  readonly pipeline: () => WaitingWork | null;
}) {
  const { clock, tracker, spending, pace } = options;

  function isBusy(): boolean {
    if (tracker.isBusy()) return true;
    const pipeline = options.pipeline();
    return pipeline !== null && (pipeline.inFlight() > 0 || pipeline.hasQueued());
  }

  function progress(): Progress {
    return {
      busy: isBusy(),
      ...tracker.counts(),
      quota: { search: quotaUse("search"), events: quotaUse("events") },
      remainingMs: remainingMs(),
      faults: options.pipeline()?.faults() ?? [],
    };
  }

  function quotaUse(operation: Operation): QuotaUse {
    const use = pace()?.quotas[operation].use() ?? unused;
    const { resumesAtMs } = use;
    return { ...use, resumesAtMs: resumesAtMs === null ? null : toSystemMs(resumesAtMs) };
  }

  function remainingMs(): number | null {
    const pipeline = options.pipeline();
    const paceNow = pace();
    if (pipeline === null || paceNow === null) return 0;
    if (pipeline.faults().length > 0 || pipeline.isDoubtful()) return null;
    const waitingMs = durationOf(pipeline.queuedCalls(), paceNow);
    return waitingMs + (pipeline.inFlight() > 0 ? Math.round(paceNow.latencyMs) : 0);
  }

  function spendingQuestion(): SpendingQuestion | null {
    const continuesAtMs = spending.continuesAtMs();
    const pipeline = options.pipeline();
    const paceNow = pace();
    if (pipeline === null || continuesAtMs === null || paceNow === null) return null;
    const calls = pipeline.queuedCalls();
    return {
      calls,
      isAtMost: paceNow.environment.pacedBy === "server",
      durationMs: durationOf(calls, paceNow),
      continuesAtMs: toSystemMs(continuesAtMs),
    };
  }

  function toSystemMs(steadyMs: number): number {
    return steadyMs + clock.now() - clock.steadyNow();
  }

  return { progress, spendingQuestion };
}

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
    durationMs: pace === null ? 0 : durationOf(calls, pace),
  };
}

/** Returns how long the calls take from now. The quota or the connections limit them, whichever is slower. */
function durationOf(calls: Calls, pace: Pace): number {
  const total = calls.search + calls.events;
  if (total === 0) return 0;
  const sendingMs = Math.ceil(total / pace.connections) * pace.latencyMs;
  const waits = (["search", "events"] as const).map((operation) =>
    pace.quotas[operation].waitForMs(calls[operation], pace),
  );
  const longestWaitMs = Math.max(...waits);
  return Math.round(longestWaitMs === 0 ? sendingMs : Math.max(sendingMs, longestWaitMs + pace.latencyMs));
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
