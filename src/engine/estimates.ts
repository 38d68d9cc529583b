/**
 * What a person sees about waiting work: the progress, the quota used, the time left, and the question of the spending guard.
 * It only reads. Times that people see are converted from the steady clock to the system clock.
 */
import type { Operation } from "../domain/environment";
import type { Clock } from "./clock";
import type { Pipeline } from "./pipeline";
import { durationOf, type Pace } from "./price";
import type { ProgressTracker } from "./progress";
import type { Spending } from "./scheduler/spending";
import type { Progress, QuotaUse, SpendingQuestion } from "./types";
import type { SettleQueue } from "./waiters";

const unused: QuotaUse = { used: 0, limit: 0, resumesAtMs: null };

export function createEstimates(options: {
  readonly clock: Clock;
  readonly tracker: ProgressTracker;
  readonly settleQueue: SettleQueue;
  readonly spending: Spending;
  /** Null without credentials. */
  readonly pace: () => Pace | null;
  readonly pipeline: () => Pipeline | null;
}) {
  const { clock, tracker, settleQueue, spending, pace } = options;

  function isBusy(): boolean {
    const { waiting, inFlight } = tracker.cells;
    if (waiting > 0 || inFlight > 0 || settleQueue.isBusy()) return true;
    const pipeline = options.pipeline();
    return pipeline !== null && (pipeline.inFlight() > 0 || pipeline.hasQueued());
  }

  function progress(): Progress {
    return {
      busy: isBusy(),
      cells: { ...tracker.cells },
      calls: { ...tracker.calls },
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

  return { isBusy, progress, spendingQuestion };
}
