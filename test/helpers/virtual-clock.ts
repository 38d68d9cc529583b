/**
 * A Clock whose time passes only when a test lets it: hours run in a blink, in the same order each time.
 * Turns of the event loop and timers run one at a time, and after each the real promise jobs and body
 * streams get to run, so that code under test sees what it would see in a browser.
 * Where nothing else is said, the system's time and the steady one are the same number, and turns take no time; as on a
 * real machine, a test can let each turn take some, let the two begin anywhere, and set the system's forward or back.
 * Invariant: timers run in the order of their times, equal ones in the order they were set.
 */
import type { Clock, TimerId } from "../../src/engine/clock";

export interface VirtualClock extends Clock {
  /** Runs all turns and timers due in this time; the clock then stands that much later, and what the last turn took. */
  advance(waitMs: number): Promise<void>;
  /** Runs the turns that are due now, without letting time pass. */
  turns(): Promise<void>;
  /** Lets time pass until the promise has settled, and gives its end. Fails when nothing is left to run. */
  until<T>(promise: Promise<T>): Promise<T>;
  /** Runs until nothing is left, at most so long. */
  runAll(atMostMs?: number): Promise<void>;
  /** Sets the system's clock forward, or back: the steady one and timers know nothing of it. */
  setSystem(byMs: number): void;
  /** Turns and timers run so far: the number of the present turn of the event loop. */
  readonly turn: number;
}

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly callback: () => void;
}

export interface VirtualClockOptions {
  readonly startMs?: number;
  /** Seed of `random`. */
  readonly seed?: number;
  /** What each turn of the event loop takes, and so the least that a timer does (default 0). */
  readonly turnMs?: number;
  /** Where the steady clock begins (default: where the system's does). */
  readonly steadyStartMs?: number;
}

const oneDayMs = 86_400_000;

export function createVirtualClock(options: VirtualClockOptions = {}): VirtualClock {
  const startMs = options.startMs ?? Date.UTC(2026, 10, 20, 9);
  const { turnMs = 0, steadyStartMs = startMs } = options;
  let nowMs = steadyStartMs;
  let systemAheadMs = startMs - steadyStartMs;
  let nextTurns: (() => void)[] = [];
  const timers = new Map<number, Timer>();
  let order = 0;
  let turn = 0;
  const random = createRandom(options.seed ?? 1);

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

  /** Runs the next timer that is due by then; false when there is none. */
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

/** Real promise jobs and the streams of answers' bodies end within two turns of the real event loop. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
