/**
 * The clock by which the engine waits. A system's clock is set forward and back by people and by time
 * servers; pauses, windows and ends noted before would then last that much longer, or the quota's window
 * would forget calls of the last minute. When a value was fetched stays the system's time: that is shown.
 */
import type { Clock } from "./clock";

/** The same clock, whose `now` is the steady time. */
export function createSteadyClock(clock: Clock): Clock {
  return {
    now: () => clock.steadyNow(),
    steadyNow: () => clock.steadyNow(),
    setTimeout: (callback, waitMs) => clock.setTimeout(callback, waitMs),
    clearTimeout: (timer) => clock.clearTimeout(timer),
    nextTurn: (callback) => clock.nextTurn(callback),
    random: () => clock.random(),
  };
}
