/**
 * Time and chance as a parameter of what the company shares, so that tests run hours in a blink. `now` must not jump:
 * ages and the quota count on it.
 */
export interface SteadyClock {
  /** Milliseconds; only differences mean something. */
  now(): number;
  setTimeout(callback: () => void, waitMs: number): unknown;
  clearTimeout(timer: unknown): void;
  /** Calls once, when what is due now has been done: for what nobody waits for. */
  nextTurn(callback: () => void): void;
  /** 0 up to but not including 1. */
  random(): number;
}
