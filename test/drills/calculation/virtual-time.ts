/**
 * Replaces the time of the grid's engine with a virtual clock: timers, messages to itself, dates and random numbers. In some
 * workbooks the engine finds its time slice used up at every check, in others only sometimes.
 */
import type { VirtualClock } from "../../helpers/virtual-clock";

/** Longer than the engine calculates without a pause. */
const hurryMs = 45;

/** Returns a function that restores the process's own time. */
export function useVirtualTime(clock: VirtualClock): () => void {
  const { setTimeout, clearTimeout, setInterval, clearInterval, MessageChannel, Date, Math } = globalThis;
  const { now: systemNow } = Date;
  const { random } = Math;
  const steadyNow = performance.now;
  const share = [0, 0.1, 1][Math.floor(clock.random() * 3)] ?? 0;
  let aheadMs = 0;
  const intervals = new Map<number, ReturnType<VirtualClock["setTimeout"]>>();

  function repeat(callback: () => void, waitMs = 0): number {
    const id = intervals.size + 1;
    const next = (): void => {
      intervals.set(
        id,
        clock.setTimeout(() => {
          next();
          callback();
        }, waitMs),
      );
    };
    next();
    return id;
  }

  class VirtualChannel {
    readonly port1 = { onmessage: null as (() => void) | null, close: () => undefined };
    readonly port2 = {
      postMessage: () => clock.nextTurn(() => this.port1.onmessage?.()),
      close: () => undefined,
    };
  }

  Object.assign(globalThis, {
    setTimeout: (callback: () => void, waitMs = 0) => clock.setTimeout(callback, waitMs),
    clearTimeout: (timer: number) => clock.clearTimeout(timer),
    setInterval: repeat,
    clearInterval: (id: number) => clock.clearTimeout(intervals.get(id) ?? 0),
    MessageChannel: VirtualChannel,
  });
  Date.now = () => clock.now();
  Math.random = clock.random;
  performance.now = () => {
    if (clock.random() < share) aheadMs += hurryMs;
    return clock.steadyNow() + aheadMs;
  };

  return () => {
    Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval, MessageChannel });
    Date.now = systemNow;
    Math.random = random;
    performance.now = steadyNow;
  };
}
