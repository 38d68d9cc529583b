/**
 * What a person sees while they wait: counts of the work since the engine was last idle. They are changed by
 * verbs, in place, because a snapshot per cell would cost more than the cell.
 * Invariant: every cell asked for is in exactly one of waiting, in flight, done and failed.
 */
import { createChangeNotices } from "../domain/notices";
import type { Clock } from "./clock";
import type { Progress } from "./types";

/** How far a cell is on its way. */
export type Stage = "waiting" | "inFlight" | "done" | "failed";

export type ProgressTracker = ReturnType<typeof createProgressTracker>;

export interface ProgressTrackerOptions {
  readonly clock: Clock;
  readonly snapshot: () => Progress;
  readonly isBusy: () => boolean;
}

/** Bursts closer than this belong to one piece of work. */
const idleMs = 1_000;

export function createProgressTracker({ clock, snapshot, isBusy }: ProgressTrackerOptions) {
  const cells = { asked: 0, waiting: 0, inFlight: 0, done: 0, failed: 0 };
  const calls = { sent: 0, savedRequests: 0 };
  const notices = createChangeNotices(clock);
  let lastRequestMs = -Infinity;
  let busySeenAtMs = -Infinity;
  let wasBusy = false;

  /** Called before a request is counted: begins to count anew when the engine has been idle. */
  function begin(nowMs: number): void {
    const quietMs = nowMs - Math.max(lastRequestMs, busySeenAtMs);
    lastRequestMs = nowMs;
    if (quietMs >= idleMs) countAnew();
  }

  function countAnew(): void {
    if (isBusy()) return;
    cells.asked = cells.done = cells.failed = calls.sent = calls.savedRequests = 0;
  }

  return {
    /** One more cell was asked for, and is here now. */
    enter(stage: Stage): void {
      cells.asked += 1;
      cells[stage] += 1;
    },
    move(from: Stage, to: Stage, count: number): void {
      cells[from] -= count;
      cells[to] += count;
    },
    sent: () => void (calls.sent += 1),
    /** A request needed no call of its own. */
    saved: () => void (calls.savedRequests += 1),
    cells,
    calls,
    begin,
    /** A refresh begins: counts anew at once, unless other work is under way. */
    beginRefresh(): void {
      lastRequestMs = clock.steadyNow();
      countAnew();
      notices.changed();
    },
    touch(): void {
      const busy = isBusy();
      // The moment of its end is the last one of the work, however long its last call took.
      if (busy || wasBusy) busySeenAtMs = clock.steadyNow();
      wasBusy = busy;
      notices.changed();
    },
    /** Tells of changes, about ten times a second and once at the end. Returns the way to stop. */
    subscribe: (listener: (progress: Progress) => void) => notices.subscribe(() => listener(snapshot())),
  };
}
