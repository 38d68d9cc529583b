/**
 * A Clock whose time passes only when a test lets it: hours run in an instant, always in the same order.
 * Turns of the event loop and timers run one at a time. After each, real promise jobs and body streams run, so that code
 * under test sees what it would see in a browser.
 * By default the system time and the steady time are the same number, and turns take no time. A test can act like a real
 * machine: each turn takes time, the two times start at different values, and the system time jumps forward or back.
 * Invariant: timers run in the order of their times; timers with equal times run in the order in which they were set.
 */
import type { Clock, TimerId } from "../../src/engine/clock";

export interface VirtualClock extends Clock {
  /** Runs all turns and timers that are due in this time. Then the clock is that much later, plus what the last turn took. */
  advance(waitMs: number): Promise<void>;
  /** Runs the turns that are due now, without letting time pass. */
  turns(): Promise<void>;
  /** Lets time pass until the promise settles, and returns its result. Fails if nothing is left to run. */
  until<T>(promise: Promise<T>): Promise<T>;
  /** Runs until nothing is left to run, but at most for this time. */
  runAll(atMostMs?: number): Promise<void>;
  /** Sets the system time forward or back. The steady time and timers don't change. */
  setSystem(byMs: number): void;
  /** Lets the computer sleep: both times pass, and timers that are due run only when time passes again. */
  sleep(forMs: number): void;
  /** Turns and timers run so far: the number of the current turn of the event loop. */
  readonly turn: number;
}

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly callback: () => void;
}

export interface VirtualClockOptions {
  readonly startMs?: number;
  readonly seed?: number;
  /** Milliseconds that each turn of the event loop takes, and so the shortest timer (default 0). */
  readonly turnMs?: number;
  /** Start of the steady time (default: start of the system time). */
  readonly steadyStartMs?: number;
  /** Real work, for example of another process. Time doesn't pass while there is any. */
  readonly realWork?: ReadonlySet<Promise<unknown>>;
}

const oneDayMs = 86_400_000;

export function createVirtualClock(options: VirtualClockOptions = {}): VirtualClock {
  const startMs = options.startMs ?? Date.UTC(2026, 10, 20, 9);
  const { turnMs = 0, steadyStartMs = startMs, realWork = new Set() } = options;
  let nowMs = steadyStartMs;
  let systemAheadMs = startMs - steadyStartMs;
  let nextTurns: (() => void)[] = [];
  const timers = new Map<number, Timer>();
  let order = 0;
  let turn = 0;
  const random = createRandom(options.seed ?? 1);

  async function settled(): Promise<void> {
    await twoTurns();
    while (realWork.size > 0) {
      await Promise.allSettled(realWork);
      await twoTurns();
    }
  }

  async function runTurns(): Promise<void> {
    await settled();
    while (nextTurns.length > 0) {
      const [callback, ...rest] = nextTurns;
      nextTurns = rest;
      await run(callback);
    }
  }

  async function run(callback: (() => void) | undefined): Promise<void> {
    turn += 1;
    callback?.();
    await settled();
    nowMs += turnMs;
  }

  function firstTimer(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of timers.values()) {
      if (first === undefined || timer.atMs < first.atMs) first = timer;
    }
    return first;
  }

  /** Runs the next timer that is due by `untilMs`. Returns false if there is no such timer. */
  async function step(untilMs: number): Promise<boolean> {
    await runTurns();
    const timer = firstTimer();
    if (timer === undefined || timer.atMs > untilMs) return false;
    timers.delete(timer.order);
    nowMs = Math.max(nowMs, timer.atMs);
    await run(timer.callback);
    return true;
  }

  async function advance(waitMs: number): Promise<void> {
    const untilMs = nowMs + waitMs;
    while (await step(untilMs));
    nowMs = Math.max(nowMs, untilMs);
  }

  async function until<T>(promise: Promise<T>): Promise<T> {
    const progress = { isSettled: false };
    const note = () => void (progress.isSettled = true);
    promise.then(note, note);
    const limitMs = nowMs + oneDayMs;
    await runTurns();
    while (!progress.isSettled) {
      const hasRun = await step(limitMs);
      if (!hasRun && !isOver(progress)) throw new Error("Nothing is left to run, and the promise waits.");
    }
    return promise;
  }

  return {
    now: () => nowMs + systemAheadMs,
    steadyNow: () => nowMs,
    setTimeout(callback, waitMs): TimerId {
      order += 1;
      timers.set(order, { atMs: nowMs + Math.max(turnMs, waitMs), order, callback });
      return order;
    },
    clearTimeout: (timer) => void timers.delete(timer as number),
    nextTurn: (callback) => void nextTurns.push(callback),
    random,
    advance,
    turns: runTurns,
    until,
    setSystem: (byMs) => void (systemAheadMs += byMs),
    sleep: (forMs) => void (nowMs += forMs),
    async runAll(atMostMs = oneDayMs) {
      const limitMs = nowMs + atMostMs;
      while (await step(limitMs));
    },
    get turn() {
      return turn;
    },
  };
}

function isOver(progress: { readonly isSettled: boolean }): boolean {
  return progress.isSettled;
}

/** Waits two turns of the real event loop. Real promise jobs and the streams of response bodies end within them. */
async function twoTurns(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
