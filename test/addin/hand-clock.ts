/** A clock that moves only when a test says so. */
import type { Clock } from "../../src/engine/clock";

export interface HandClock extends Clock {
  /** Runs what falls due meanwhile, in order of time, letting promises settle in between. */
  advance(byMs: number): Promise<void>;
}

export function createHandClock(startMs = 1_000_000): HandClock {
  let nowMs = startMs;
  let serial = 0;
  const timers = new Map<number, { atMs: number; callback: () => void }>();
  const add = (callback: () => void, waitMs: number): number => {
    timers.set(++serial, { atMs: nowMs + waitMs, callback });
    return serial;
  };
  return {
    now: () => nowMs,
    setTimeout: add,
    clearTimeout: (timer) => void timers.delete(timer as number),
    nextTurn: (callback) => void add(callback, 0),
    random: () => 0.5,
    advance: async (byMs) => {
      const endMs = nowMs + byMs;
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        const due = [...timers]
          .filter(([, { atMs }]) => atMs <= endMs)
          .sort(([, a], [, b]) => a.atMs - b.atMs)[0];
        if (!due) break;
        timers.delete(due[0]);
        nowMs = Math.max(nowMs, due[1].atMs);
        due[1].callback();
      }
      nowMs = endMs;
    },
  };
}
