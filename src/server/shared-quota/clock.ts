/** Time and randomness as parameters, so that tests run hours in a moment. `now` must never jump: ages and the quota depend on it. */
export interface SteadyClock {
  /** Milliseconds; only differences have a meaning. */
  now(): number;
  setTimeout(callback: () => void, waitMs: number): unknown;
  clearTimeout(timer: unknown): void;
  /** Calls once, after all work that is due now: for work that nobody waits for. */
  nextTurn(callback: () => void): void;
  /** From 0 up to, not including, 1. */
  random(): number;
}
