/** Time that runs only when told, in order, with promises let through between the steps. */
import type { Clock } from "../../src/engine/clock";

export interface VirtualClock extends Clock {
  /** Runs everything that is due in the next `ms`, and what that causes. */
  run(ms: number): Promise<void>;
}

export function createVirtualClock(startMs = Date.UTC(2026, 0, 5, 8)): VirtualClock {
  let nowMs = startMs;
  let lastTimer = 0;
  const due = new Map<number, { readonly atMs: number; readonly callback: () => void }>();
  const add = (callback: () => void, waitMs: number): number => {
    lastTimer += 1;
    due.set(lastTimer, { atMs: nowMs + Math.max(0, waitMs), callback });
    return lastTimer;
  };
  return {
    now: () => nowMs,
    setTimeout: add,
    clearTimeout: (timer) => void due.delete(timer as number),
    nextTurn: (callback) => void add(callback, 0),
    random: () => 0.5,
    async run(ms) {
      const endMs = nowMs + ms;
      for (;;) {
        await letPromisesRun();
        let nextMs = Infinity;
        for (const { atMs } of due.values()) nextMs = Math.min(nextMs, atMs);
        if (nextMs > endMs) break;
        nowMs = nextMs;
        const timers = [...due].filter(([, { atMs }]) => atMs === nextMs).map(([timer]) => timer);
        for (const timer of timers) {
          const callback = due.get(timer)?.callback;
          due.delete(timer);
          callback?.();
        }
      }
      nowMs = endMs;
    },
  };
}

async function letPromisesRun(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
