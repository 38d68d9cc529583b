/**
 * An event loop on virtual time. It jumps from one due callback to the next. Between two of them, everything that the first
 * one started (promises, reading of bodies) comes to rest. So latencies are exact and cost nothing, while the processor time
 * is real. All contenders use it.
 */
import type { Clock } from "../../src/engine/clock";

/** Saved now, because a peer's run replaces the global timers with virtual ones. */
const realTurn = setImmediate;

interface Due {
  readonly atMs: number;
  readonly order: number;
  callback: (() => void) | null;
}

export interface Loop {
  readonly clock: Clock;
  /**
   * Runs until `isDone` or until nothing is due; later callbacks stay. The limit is one virtual hour, so that a contender
   * that polls can't run for ever.
   */
  run(isDone: () => boolean): Promise<void>;
  turns(): number;
  /** Returns the longest real time of one turn and resets it. */
  takeLongestTurnMs(): number;
}

const longestRunMs = 3_600_000;

/** @param addsProcessorTime whether real time also moves the clock: then work takes time, and waits still cost nothing */
export function createVirtualLoop(addsProcessorTime = false): Loop {
  const heap: Due[] = [];
  let turnMs = Date.UTC(2026, 10, 20);
  let turnStartedAtMs = performance.now();
  let order = 0;
  let turns = 0;
  let seed = 42;
  let longestTurnMs = 0;

  const now = (): number => (addsProcessorTime ? turnMs + performance.now() - turnStartedAtMs : turnMs);

  const schedule = (callback: () => void, waitMs: number): Due => {
    const due = { atMs: now() + Math.max(0, waitMs), order: order++, callback };
    push(heap, due);
    return due;
  };

  const clock: Clock = {
    now,
    steadyNow: now,
    setTimeout: schedule,
    clearTimeout: (timer) => {
      if (timer) (timer as Due).callback = null;
    },
    nextTurn: (callback) => {
      schedule(callback, 0);
    },
    random: () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed / 2 ** 32;
    },
  };

  return {
    clock,
    turns: () => turns,
    takeLongestTurnMs: () => {
      const taken = longestTurnMs;
      longestTurnMs = 0;
      return taken;
    },
    async run(isDone) {
      const endMs = now() + longestRunMs;
      await rest();
      while (!isDone()) {
        const due = pop(heap);
        if (due === undefined) return;
        if (due.callback === null) continue;
        if (due.atMs > endMs) throw new Error("The run did not end within a virtual hour.");
        turnMs = Math.max(now(), due.atMs);
        turnStartedAtMs = performance.now();
        turns++;
        due.callback();
        await rest();
        longestTurnMs = Math.max(longestTurnMs, performance.now() - turnStartedAtMs);
      }
    },
  };
}

/** Gives a peer that uses the global timers virtual ones during its run. */
export async function withVirtualTimers<T>(clock: Clock, run: () => Promise<T>): Promise<T> {
  const { setTimeout, clearTimeout, setInterval } = globalThis;
  const realNow = Date.now;
  const repeat = (callback: () => void, everyMs: number): void => {
    const again = (): void => {
      callback();
      clock.setTimeout(again, everyMs);
    };
    clock.setTimeout(again, everyMs);
  };
  Object.assign(globalThis, {
    setTimeout: (callback: (...given: unknown[]) => void, waitMs = 0, ...given: unknown[]) =>
      clock.setTimeout(() => callback(...given), waitMs),
    clearTimeout: (timer: unknown) => clock.clearTimeout(timer),
    // Bottleneck's timer, which is never cleared. Bottleneck checks whether it is a timer of Node.
    setInterval: (callback: () => void, everyMs: number) => {
      repeat(callback, everyMs);
      return {};
    },
  });
  Date.now = () => clock.now();
  try {
    return await run();
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout, setInterval });
    Date.now = realNow;
  }
}

/** A real turn: all promise callbacks queued before it have run when it ends. */
function rest(): Promise<void> {
  return new Promise((resolve) => realTurn(resolve));
}

function isBefore(left: Due, right: Due): boolean {
  return left.atMs < right.atMs || (left.atMs === right.atMs && left.order < right.order);
}

function push(heap: Due[], due: Due): void {
  let at = heap.length;
  heap.push(due);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(due, heap[parent]!)) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = due;
}

function pop(heap: Due[]): Due | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (top === undefined || last === undefined || heap.length === 0) return top;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
    if (!isBefore(heap[child]!, last)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = last;
  return top;
}
