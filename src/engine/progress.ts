/**
 * The progress that a person sees while they wait: counts of the work since the engine was last idle. The counts change in
 * place, because a snapshot per cell would cost more than the cell.
 * Invariant: every requested cell is in exactly one of waiting, in flight, done and failed.
 */
import { createChangeNotices } from "../domain/notices";
import type { Clock } from "./clock";
import type { Progress } from "./types";

/** The state of a requested cell. */
export type Stage = "waiting" | "inFlight" | "done" | "failed";

export type ProgressTracker = ReturnType<typeof createProgressTracker>;

/** Bursts that are closer than this count as one. */
const idleMs = 1_000;

export function createProgressTracker(
  clock: Clock,
  { snapshot, isBusy }: { readonly snapshot: () => Progress; readonly isBusy: () => boolean },
) {
  const cells = { requested: 0, waiting: 0, inFlight: 0, done: 0, failed: 0 };
  const calls = { sent: 0, savedRequests: 0 };
  const notices = createChangeNotices(clock);
  let lastRequestMs = -Infinity;
  let busySeenAtMs = -Infinity;
  let wasBusy = false;

  /** Resets the counts if the engine was idle. Call it before a request is counted. */
  function beginRequest(nowMs: number): void {
    const quietMs = nowMs - Math.max(lastRequestMs, busySeenAtMs);
    lastRequestMs = nowMs;
    if (quietMs >= idleMs) resetCounts();
  }

  function resetCounts(): void {
    if (isBusy()) return;
    cells.requested = cells.done = cells.failed = calls.sent = calls.savedRequests = 0;
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
    cells,
    calls,
    beginRequest,
    /** Resets the counts for a refresh, unless other work is in flight. */
    beginRefresh(): void {
      lastRequestMs = clock.steadyNow();
      resetCounts();
      notices.changed();
    },
    touch(): void {
      const busy = isBusy();
      // When the work ends, the idle time starts now, even if its last call took long.
      if (busy || wasBusy) busySeenAtMs = clock.steadyNow();
      wasBusy = busy;
      notices.changed();
    },
    /** Calls the listener after changes, about ten times a second and once at the end. Returns the unsubscribe function. */
    subscribe: (listener: (progress: Progress) => void) => notices.subscribe(() => listener(snapshot())),
  };
}
