/** Real time, for tests and drills over loopback HTTP. */
import type { Clock } from "../../src/engine/clock";

export const systemClock: Clock = {
  now: () => Date.now(),
  steadyNow: () => performance.now(),
  setTimeout: (callback, waitMs) => setTimeout(callback, waitMs),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
  nextTurn: (callback) => void setImmediate(callback),
  random: () => Math.random(),
};
