/**
 * The clock by which the engine waits: it never goes back. A system's clock is set back by people and by
 * time servers; pauses, windows and ends noted before would then last that much longer, and cells would
 * hang. When a value was fetched, and how fresh it is, stays the system's time: that is shown to people.
 */
import type { Clock } from "./clock";

export function createSteadyClock(clock: Clock): Clock {
  let lastMs = clock.now();
  let setBackMs = 0;
  return {
    now() {
      const nowMs = clock.now();
      if (nowMs < lastMs) setBackMs += lastMs - nowMs;
      lastMs = nowMs;
      return nowMs + setBackMs;
    },
    setTimeout: (callback, waitMs) => clock.setTimeout(callback, waitMs),
    clearTimeout: (timer) => clock.clearTimeout(timer),
    nextTurn: (callback) => clock.nextTurn(callback),
    random: () => clock.random(),
  };
}
