/**
 * The system's time, timers and random numbers as the engine's Clock. `nextTurn` sends a message to its own page instead of
 * starting a timer, because browsers slow the timers of hidden pages to one a minute.
 */
import type { Clock } from "../engine/clock";

export function createRealClock(): Clock {
  const waiting: (() => void)[] = [];
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    // Each callback has its own message, so that the page can draw and respond between two of them.
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
