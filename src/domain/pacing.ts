/**
 * How long to wait after a failure, and the throttle of a quota. A page uses it for its own requests, a team's server for those of
 * a company. Times come from any steady clock.
 * Pauses double from half a second, and half of each pause is random, so that many pages that failed together don't return
 * together. No pause is longer than a minute, whatever the service asks for: its quota counts 60 seconds, and a wrong number
 * would leave a company without values. After a pause one request tests whether the others may follow.
 */

const firstMs = 500;

export const longestPauseMs = 60_000;

/** Returns the wait before the next try, in milliseconds, after 1 or more failures; `chance` is 0 to 1. */
export function backoffMs(failures: number, chance: number): number {
  const fullMs = Math.min(longestPauseMs, firstMs * 2 ** (failures - 1));
  return fullMs * (0.5 + chance / 2);
}

/** Returns the wait after a 429: at least as long as its Retry-After. */
export function pauseAfterRefusalMs(refusals: number, retryAfterMs: number | null, chance: number): number {
  return Math.min(longestPauseMs, Math.max(retryAfterMs ?? 0, backoffMs(refusals, chance)));
}

/**
 * A quota's reaction to a 429: a pause, then one request as a test, then a pace that is a fifth lower and recovers by a fifth of
 * the limit each minute. It also reserves requests for edits. The pace is never below one request.
 * The service receives a request at an unknown time between its sending and its answer. So callers count it from its sending until
 * 60 seconds after its answer, and the service never sees more requests in 60 seconds than it allows.
 */
export interface Throttle {
  /** Reports a 429 for a request sent at `sentAtMs`, while `used` requests counted. */
  refused(refusal: QuotaRefusal): void;
  succeeded(): void;
  /** Nothing may be sent before this time. */
  pausedUntilMs(): number;
  /** Whether only one request at a time may be sent: after a 429, until one succeeds. */
  triesOne(): boolean;
  /** Returns how many requests may count at this time: fewer for anything but an edit. */
  allowance(isEdit: boolean, atMs: number): number;
  /** Returns the time from which this many requests may count; Infinity if never. */
  allowsAtMs(calls: number, isEdit: boolean): number;
}

interface QuotaRefusal {
  readonly nowMs: number;
  readonly sentAtMs: number;
  readonly used: number;
  readonly retryAfterMs: number | null;
}

const mostKeptBack = 20;
/** The part of the limit by which a lowered pace recovers in a minute. */
const recoveryOfAMinute = 1 / 5;
const loweredTo = 0.8;

export function createThrottle(limit: number, random: () => number): Throttle {
  const state = {
    pausedUntilMs: -Infinity,
    /** Number of 429s since the last success. */
    refusals: 0,
    lastRefusedAtMs: -Infinity,
    loweredPace: limit,
    loweredAtMs: 0,
  };

  function pace(atMs: number): number {
    const recovered =
      state.loweredPace < limit ? ((atMs - state.loweredAtMs) / 60_000) * limit * recoveryOfAMinute : 0;
    return Math.max(1, Math.min(limit, Math.floor(state.loweredPace + recovered)));
  }

  function recoversAtMs(calls: number): number {
    if (calls <= 1) return -Infinity;
    if (calls > limit) return Infinity;
    if (calls <= state.loweredPace) return -Infinity;
    // A little later than exact, so that rounding doesn't leave the pace just below.
    return (
      state.loweredAtMs +
      Math.ceil(((calls - state.loweredPace) / (limit * recoveryOfAMinute)) * 60_000 + 0.001)
    );
  }

  return {
    refused({ nowMs, sentAtMs, used, retryAfterMs }) {
      // Requests that were under way together get the same refusal, which lowers the pace only once.
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
      // The lowest pace that allows this many requests.
      const needed = isEdit ? calls : calls + Math.min(mostKeptBack, Math.floor((calls - 1) / 9));
      return recoversAtMs(needed);
    },
  };
}
