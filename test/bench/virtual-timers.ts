/** A peer that takes the global timers gets virtual ones for the time of its run. */
import type { Clock } from "../../src/engine/clock";

export async function withVirtualTimers<T>(clock: Clock, run: () => Promise<T>): Promise<T> {
  const { setTimeout, clearTimeout } = globalThis;
  const realNow = Date.now;
  Object.assign(globalThis, {
    setTimeout: (callback: () => void, waitMs = 0) => clock.setTimeout(callback, waitMs),
    clearTimeout: (timer: unknown) => clock.clearTimeout(timer),
  });
  Date.now = () => clock.now();
  try {
    return await run();
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
    Date.now = realNow;
  }
}
