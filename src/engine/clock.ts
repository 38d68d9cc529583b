/**
 * Time and randomness as a parameter. Nothing in the engine reads the system clock or sets a timer itself. So tests run hours of
 * virtual time at once, and always in the same order.
 */

export type TimerId = unknown;

export interface Clock {
  /** Milliseconds since 1970, UTC, for times that people see. It jumps when a person or a time server sets the clock. */
  now(): number;
  /** Milliseconds since any start, for waits, quota and ages. It never jumps, but may stop while the computer sleeps. */
  steadyNow(): number;
  setTimeout(callback: () => void, waitMs: number): TimerId;
  clearTimeout(timer: TimerId): void;
  /**
   * Runs the callback in a later turn of the event loop, as soon as possible. It isn't a timer: Chromium slows the timers of
   * hidden panes to one a second or one a minute, but not their messages.
   */
  nextTurn(callback: () => void): void;
  /** Returns a number from 0 up to, but not including, 1. */
  random(): number;
}

/** Resolves after this time. */
export function pause(clock: Pick<Clock, "setTimeout">, waitMs: number): Promise<void> {
  return new Promise((resolve) => clock.setTimeout(resolve, waitMs));
}

/** Resolves in the next turn of the event loop. */
export function nextTurn(clock: Pick<Clock, "nextTurn">): Promise<void> {
  return new Promise((resolve) => clock.nextTurn(resolve));
}
