/**
 * The system's time, timers and random numbers as the engine's Clock. `nextTurn` uses a message to ourselves instead of a timer:
 * browsers slow the timers of hidden pages to one a minute.
 */
import type { Clock } from "../engine/clock";

/** The one clock of the add-in. */
export function createRealClock(): Clock {
  const waiting: (() => void)[] = [];
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    // One message each, so that the page can draw and answer between two callbacks.
    waiting.shift()?.();
  };
  return {
    now: () => Date.now(),
    steadyNow: () => performance.now(),
    setTimeout: (callback, waitMs) => setTimeout(callback, waitMs),
    clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
    nextTurn: (callback) => {
      waiting.push(callback);
      channel.port2.postMessage(null);
    },
    random: () => Math.random(),
  };
}
