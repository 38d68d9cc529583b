/**
 * Limits how fast results leave for the host. Microsoft's runtime sends all finished results in one message, 50 ms after the first
 * one. If a message is still being sent, the next one waits for it, at most 15 s (read in its code). Excel on the web refuses a message
 * of 5 MB (documented). The runtime then repeats it with newer results, until it is 60 s old and lost. So the results of any 16 s
 * together stay below that size, and the others wait here.
 * Invariant: every result leaves, in bounded time and in order, except small ones that overtake large ones.
 */
import type { Clock } from "../engine/clock";

export interface ResultThrottle {
  /** Returns whether a result of this size may leave now. If so, it counts as sent. */
  tryRelease(bytes: number): boolean;
  /** Keeps a result until it may leave. */
  hold(result: WaitingResult): void;
}

/** A waiting result. `release` must not throw. */
export interface WaitingResult {
  readonly bytes: number;
  release(): void;
}

/**
 * The size around a single value in the runtime's array of results, or of an error without a text (read in its code): the number of its
 * call (at most ten digits), true or false, brackets and commas, and for how long it was calculated (at most six digits of milliseconds).
 * So 100,000 quantities fit into a message.
 */
export const envelopeBytes = 33;
/** The largest result. Together with `reservedBytes`, the results of a window stay below 4 MB, which leaves room for the texts of errors. */
export const mostResultBytes = 3_800_000;
/** Reserved for small results, so that a typed cell doesn't wait behind large grids. */
const reservedBytes = 200_000;
const smallBytes = 2_000;
const windowMs = 16_000;
/** Results that leave within this time are counted together. */
const spanMs = 500;
const releasedPerTurn = 5_000;

export function createResultThrottle(
  clock: Pick<Clock, "steadyNow" | "setTimeout" | "nextTurn">,
): ResultThrottle {
  const common = createWindow(mostResultBytes);
  const reserve = createWindow(reservedBytes);
  let waiting: WaitingResult[] = [];
  /** Index of the next result in `waiting`. */
  let nextIndex = 0;
  let isDrainDue = false;

  function drain(): void {
    isDrainDue = false;
    const nowMs = clock.steadyNow();
    for (let count = 0; count < releasedPerTurn; count++) {
      const next = waiting[nextIndex];
      if (next === undefined) {
        waiting = [];
        nextIndex = 0;
        return;
      }
      if (!common.tryAdd(next.bytes, nowMs)) {
        wait(nowMs);
        return;
      }
      nextIndex += 1;
      next.release();
    }
    isDrainDue = true;
    clock.nextTurn(drain);
  }

  function wait(nowMs: number): void {
    isDrainDue = true;
    clock.setTimeout(drain, common.oldestLeavesInMs(nowMs));
  }

  return {
    tryRelease(bytes) {
      const nowMs = clock.steadyNow();
      const isFirst = nextIndex === waiting.length;
      if (isFirst && common.tryAdd(bytes, nowMs)) return true;
      // Small results that overtake count apart. Otherwise a steady stream of them could hold a large one back forever.
      return bytes <= smallBytes && reserve.tryAdd(bytes, nowMs);
    },
    hold(result) {
      waiting.push(result);
      if (!isDrainDue) wait(clock.steadyNow());
    },
  };
}

/** Counts the bytes that left within the last 16 s. */
function createWindow(mostBytes: number) {
  /** Oldest first. */
  const spans: { readonly fromMs: number; bytes: number }[] = [];
  let total = 0;

  return {
    /** Counts these bytes if there is room for them. Returns whether there is. */
    tryAdd(bytes: number, nowMs: number): boolean {
      while (spans[0] !== undefined && nowMs - spans[0].fromMs >= windowMs + spanMs) {
        total -= spans[0].bytes;
        spans.shift();
      }
      if (total + bytes > mostBytes) return false;
      total += bytes;
      const last = spans.at(-1);
      if (last !== undefined && nowMs - last.fromMs < spanMs) last.bytes += bytes;
      else spans.push({ fromMs: nowMs, bytes });
      return true;
    },
    oldestLeavesInMs: (nowMs: number) => (spans[0]?.fromMs ?? nowMs) + windowMs + spanMs - nowMs,
  };
}
