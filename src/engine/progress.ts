/**
 * What a person sees while they wait: counts of the work since the engine was last idle. The counts are
 * changed in place by those who do the work, because a snapshot per cell would cost more than the cell.
 * Invariant: every cell asked for is in exactly one of waiting, in flight, done and failed.
 */
import { createChangeNotices } from "./change-notices";
import type { Clock } from "./clock";
import type { Progress } from "./types";

interface Counts {
  asked: number;
  waiting: number;
  inFlight: number;
  done: number;
  failed: number;
  sent: number;
  saved: number;
}

export interface ProgressBoard {
  readonly counts: Counts;
  /** Called before a request is counted: begins to count anew when the engine has been idle. */
  begin(nowMs: number): void;
  /** A refresh begins: counts anew at once, unless other work is under way. */
  beginRefresh(): void;
  /** Something changed. */
  touch(): void;
  /** Tells of changes, about ten times a second and once at the end. Returns the way to stop. */
  subscribe(listener: (progress: Progress) => void): () => void;
}

export interface BoardOptions {
  readonly clock: Clock;
  readonly snapshot: () => Progress;
  readonly isBusy: () => boolean;
}

/** Bursts closer than this belong to one piece of work. */
const idleMs = 1_000;

export function createProgressBoard({ clock, snapshot, isBusy }: BoardOptions): ProgressBoard {
  const counts: Counts = { asked: 0, waiting: 0, inFlight: 0, done: 0, failed: 0, sent: 0, saved: 0 };
  const notices = createChangeNotices(clock);
  let lastRequestMs = -Infinity;
  let busySeenAtMs = -Infinity;
  let wasBusy = false;

  function begin(nowMs: number): void {
    const quietMs = nowMs - Math.max(lastRequestMs, busySeenAtMs);
    lastRequestMs = nowMs;
    if (quietMs >= idleMs) countAnew();
  }

  function countAnew(): void {
    if (isBusy()) return;
    counts.asked = counts.done = counts.failed = counts.sent = counts.saved = 0;
  }

  return {
    counts,
    begin,
    beginRefresh() {
      lastRequestMs = clock.now();
      countAnew();
      notices.changed();
    },
    touch() {
      const busy = isBusy();
      // The moment of its end is the last one of the work, however long its last call took.
      if (busy || wasBusy) busySeenAtMs = clock.now();
      wasBusy = busy;
      notices.changed();
    },
    subscribe: (listener) => notices.subscribe(() => listener(snapshot())),
  };
}
