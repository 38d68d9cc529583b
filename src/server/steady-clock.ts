/** The server's clock: timers of Node, and a `now` that does not jump. */
import type { SteadyClock } from "./shared-quota/clock";

export function createSteadyClock(now: () => number): SteadyClock {
  return {
    now,
    setTimeout: (callback, waitMs) => setTimeout(callback, waitMs),
    clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
    nextTurn: (callback) => void setImmediate(callback),
    random: Math.random,
  };
}
