/**
 * What a person sees while they wait: counts of the work since the engine was last idle, and telling those
 * who subscribed, about ten times a second and once at the end. The counts are changed in place by those
 * who do the work, because a snapshot per cell would cost more than the cell.
 * Invariant: every cell asked for is in exactly one of waiting, in flight, done and failed.
 */
import type { Clock, TimerId } from "./clock";
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
  /** Something changed. */
  touch(): void;
  subscribe(listener: (progress: Progress) => void): () => void;
}

export interface BoardOptions {
  readonly clock: Clock;
  readonly snapshot: () => Progress;
  readonly isBusy: () => boolean;
}

const tellEveryMs = 100;
/** Bursts closer than this belong to one piece of work. */
const idleMs = 1_000;

export function createProgressBoard({ clock, snapshot, isBusy }: BoardOptions): ProgressBoard {
  const counts: Counts = { asked: 0, waiting: 0, inFlight: 0, done: 0, failed: 0, sent: 0, saved: 0 };
  const listeners = new Set<(progress: Progress) => void>();
  let lastRequestMs = -Infinity;
  let busySeenAtMs = -Infinity;
  let lastToldMs = -Infinity;
  let timer: TimerId = null;
  let isTimerSet = false;
  let told = "";

  function begin(nowMs: number): void {
    const quietMs = nowMs - Math.max(lastRequestMs, busySeenAtMs);
    lastRequestMs = nowMs;
    // Less than no time has passed when the system's clock was set back.
    if (Math.abs(quietMs) < idleMs || isBusy()) return;
    counts.asked = counts.done = counts.failed = counts.sent = counts.saved = 0;
  }

  function touch(): void {
    if (isBusy()) busySeenAtMs = clock.now();
    if (listeners.size === 0 || isTimerSet) return;
    isTimerSet = true;
    // Always from a timer of its own, so that a listener that throws cannot stop the work it hears of.
    timer = clock.setTimeout(
      () => {
        isTimerSet = false;
        tell();
      },
      Math.min(tellEveryMs, Math.max(0, lastToldMs + tellEveryMs - clock.now())),
    );
  }

  function tell(): void {
    const progress = snapshot();
    lastToldMs = clock.now();
    const news = JSON.stringify({ ...progress, faults: progress.faults.map(({ error }) => error.message) });
    if (news === told) return;
    told = news;
    for (const listener of [...listeners]) listener(progress);
  }

  return {
    counts,
    begin,
    touch,
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clock.clearTimeout(timer);
        isTimerSet = false;
      };
    },
  };
}
