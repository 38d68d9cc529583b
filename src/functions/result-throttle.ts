/**
 * Limits how fast results leave for the host. Microsoft's runtime sends all finished results in one message: 50 ms after the first, or
 * when the previous message has been accepted, at most 15 s later (read in its code). Excel on the web refuses a message of 5 MB
 * (documented). The runtime then repeats it with newer results, until it is 60 s old and lost. So the results of any 16 s together
 * stay below that size, and the others wait here.
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

/** The size around a single value: the number of its call, brackets, times. */
export const envelopeBytes = 40;

const windowMs = 16_000;
const mostBytes = 4_000_000;
/** Reserved for small results, so that a typed cell doesn't wait behind large grids. */
const roomForSmall = 200_000;
const smallBytes = 2_000;
/** Results that leave within this time are counted together. */
const spanMs = 500;
const releasedPerTurn = 5_000;

export function createResultThrottle(
  clock: Pick<Clock, "steadyNow" | "setTimeout" | "nextTurn">,
): ResultThrottle {
  /** Results released within the window, oldest first. */
  const released: { readonly fromMs: number; bytes: number }[] = [];
  let releasedBytes = 0;
  let waiting: WaitingResult[] = [];
  let first = 0;
  let isDrainDue = false;

  function forget(nowMs: number): void {
    while (released[0] !== undefined && nowMs - released[0].fromMs >= windowMs + spanMs) {
      releasedBytes -= released[0].bytes;
      released.shift();
    }
  }

  function note(bytes: number, nowMs: number): void {
    releasedBytes += bytes;
    const last = released.at(-1);
    if (last !== undefined && nowMs - last.fromMs < spanMs) last.bytes += bytes;
    else released.push({ fromMs: nowMs, bytes });
  }

  function fits(bytes: number, room: number): boolean {
    // A larger result is sent by itself; the caller keeps results below the limit.
    return releasedBytes + bytes <= room || releasedBytes === 0;
  }

  function drain(): void {
    isDrainDue = false;
    const nowMs = clock.steadyNow();
    forget(nowMs);
    for (let count = 0; count < releasedPerTurn; count++) {
      const next = waiting[first];
      if (next === undefined) {
        empty();
        return;
      }
      if (!fits(next.bytes, mostBytes - roomForSmall)) {
        wait(nowMs);
        return;
      }
      first += 1;
      note(next.bytes, nowMs);
      next.release();
    }
    isDrainDue = true;
    clock.nextTurn(drain);
  }

  function empty(): void {
    waiting = [];
    first = 0;
  }

  /** Waits until the oldest results are out of the window. */
  function wait(nowMs: number): void {
    const oldestMs = released[0]?.fromMs ?? nowMs;
    isDrainDue = true;
    clock.setTimeout(drain, oldestMs + windowMs + spanMs - nowMs);
  }

  return {
    tryRelease(bytes) {
      const nowMs = clock.steadyNow();
      forget(nowMs);
      const isFree = first === waiting.length;
      if (!isFree && bytes > smallBytes) return false;
      if (!fits(bytes, bytes > smallBytes ? mostBytes - roomForSmall : mostBytes)) return false;
      note(bytes, nowMs);
      return true;
    },
    hold(result) {
      waiting.push(result);
      if (!isDrainDue) wait(clock.steadyNow());
    },
  };
}
