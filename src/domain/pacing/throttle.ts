/**
 * How a quota gives way when the service says 429, and comes back: the pause, the one call that then shows whether the
 * others may follow, the pace that is lowered by a fifth and recovers by a fifth of the limit in a minute, and the
 * calls kept back for edits. The same for a page that counts its own calls and for a server that counts a company's;
 * which calls count in the 60 seconds is theirs. Times are of any steady clock.
 * Invariant: the pace is never below one call.
 */
import { longestPauseMs, pauseAfterRefusalMs } from "./backoff";

export interface Throttle {
  /** The service said 429 to a call sent at `sentAtMs`, when so many calls counted. */
  refused(refusal: Refusal): void;
  succeeded(): void;
  /** Nothing may leave before. */
  pausedUntilMs(): number;
  /** After a 429 one call at a time, until one succeeds. */
  triesOne(): boolean;
  /** Calls that may count at this time; of others than edits fewer. */
  allowance(isEdit: boolean, atMs: number): number;
  /** From when it is so many; Infinity where it never will be. */
  allowsAtMs(calls: number, isEdit: boolean): number;
}

interface Refusal {
  readonly nowMs: number;
  readonly sentAtMs: number;
  readonly used: number;
  readonly retryAfterMs: number | null;
}

const mostKeptBack = 20;
/** A pace lowered by refusals comes back by this part of the limit in a minute. */
const recoveryOfAMinute = 1 / 5;
const loweredTo = 0.8;

/** All that it remembers, as data. */
export interface ThrottleState {
  pausedUntilMs: number;
  /** Since the last success. */
  refusals: number;
  lastRefusedAtMs: number;
  loweredPace: number;
  loweredAtMs: number;
}

export function newThrottleState(limit: number): ThrottleState {
  return {
    pausedUntilMs: -Infinity,
    refusals: 0,
    lastRefusedAtMs: -Infinity,
    loweredPace: limit,
    loweredAtMs: 0,
  };
}

export function createThrottle(
  limit: number,
  random: () => number,
  state: ThrottleState = newThrottleState(limit),
): Throttle {
  function pace(atMs: number): number {
    const recovered =
      state.loweredPace < limit ? ((atMs - state.loweredAtMs) / 60_000) * limit * recoveryOfAMinute : 0;
    return Math.max(1, Math.min(limit, Math.floor(state.loweredPace + recovered)));
  }

  function recoversAtMs(calls: number): number {
    if (calls <= 1) return -Infinity;
    if (calls > limit) return Infinity;
    if (calls <= state.loweredPace) return -Infinity;
    // A little more than exact, so that rounding does not leave it a hair below.
    return (
      state.loweredAtMs +
      Math.ceil(((calls - state.loweredPace) / (limit * recoveryOfAMinute)) * 60_000 + 0.001)
    );
  }

  return {
    refused({ nowMs, sentAtMs, used, retryAfterMs }) {
      // Calls that were under way together meet the same refusal; it lowers the pace once.
      const isNews = sentAtMs >= state.lastRefusedAtMs;
      if (isNews) {
        state.refusals += 1;
        state.loweredPace = Math.max(limit / 10, Math.min(pace(nowMs), used) * loweredTo);
        state.loweredAtMs = state.lastRefusedAtMs = nowMs;
      }
      const waitMs = isNews
        ? pauseAfterRefusalMs(state.refusals, retryAfterMs, random())
        : Math.min(longestPauseMs, retryAfterMs ?? 0);
      state.pausedUntilMs = Math.max(state.pausedUntilMs, nowMs + waitMs);
    },
    succeeded: () => void (state.refusals = 0),
    pausedUntilMs: () => state.pausedUntilMs,
    triesOne: () => state.refusals > 0,
    allowance(isEdit, atMs) {
      const calls = pace(atMs);
      return isEdit ? calls : calls - Math.min(mostKeptBack, Math.floor(calls / 10));
    },
    allowsAtMs(calls, isEdit) {
      // The least pace whose allowance is so many calls.
      const needed = isEdit ? calls : calls + Math.min(mostKeptBack, Math.floor((calls - 1) / 9));
      return recoversAtMs(needed);
    },
  };
}
