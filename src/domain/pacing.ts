/**
 * How calls give way and come back, the same for a page that counts its own calls and for a team's server that counts a
 * company's: how long to wait after a failure, and the throttle of a quota. Times are of any steady clock. It runs in Redis
 * too, compiled, so there is nothing in it that Lua has not.
 * Pauses double from half a second, and half of each is left to chance, so that many who failed together do not return
 * together. None is longer than a minute, whatever the service asks for: its quota counts 60 seconds, so a longer one waits
 * for nothing that is documented, and a wrong number would keep a company without values; one call a minute then shows
 * whether the others may follow.
 */

const firstMs = 500;

export const longestPauseMs = 60_000;

/** Wait before the next try, in milliseconds, after this many failures (1 or more); `chance` is 0 to 1. */
export function backoffMs(failures: number, chance: number): number {
  const fullMs = Math.min(longestPauseMs, firstMs * 2 ** (failures - 1));
  return fullMs * (0.5 + chance / 2);
}

/** The same after a 429: as long as it says, where that is longer. */
export function pauseAfterRefusalMs(refusals: number, retryAfterMs: number | null, chance: number): number {
  return Math.min(longestPauseMs, Math.max(retryAfterMs ?? 0, backoffMs(refusals, chance)));
}

/**
 * How a quota gives way when the service says 429, and comes back: the pause, the one call that then shows whether the
 * others may follow, the pace that is lowered by a fifth and recovers by a fifth of the limit in a minute, and the calls
 * kept back for edits. Which calls count in the 60 seconds is its user's. The pace is never below one call.
 */
export interface Throttle {
  /** The service said 429 to a call sent at `sentAtMs`, when so many calls counted. */
  refused(refusal: QuotaRefusal): void;
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

interface QuotaRefusal {
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
