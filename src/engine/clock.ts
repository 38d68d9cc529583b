/**
 * Time and chance as a parameter. Nothing in the engine reads the system's clock or sets a timer of
 * its own, so that tests run hours in a blink and in the same order each time.
 */

export type TimerId = unknown;

export interface Clock {
  /** Milliseconds since 1970, UTC: what is told to people. It jumps where people or time servers set it. */
  now(): number;
  /** Milliseconds from any start, by which waits, quota and ages count: it never jumps, but may stand while a computer sleeps. */
  steadyNow(): number;
  setTimeout(callback: () => void, waitMs: number): TimerId;
  clearTimeout(timer: TimerId): void;
  /**
   * Runs the callback in a later turn of the event loop, as soon as possible. Not a timer: hidden panes
   * have their timers slowed to one a second or one a minute (Chromium), but not their messages.
   */
  nextTurn(callback: () => void): void;
  /** 0 up to but not including 1. */
  random(): number;
}

/** Resolves so much later. */
export function pause(clock: Pick<Clock, "setTimeout">, waitMs: number): Promise<void> {
  return new Promise((resolve) => void clock.setTimeout(resolve, waitMs));
}
