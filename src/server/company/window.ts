/**
 * The calls of one company and operation in any 60 seconds, and how many more may leave now.
 *
 * When a call reached the service is only known to lie between its sending and its answer. So it counts from
 * its sending until 60 seconds after its answer, and the service never sees more than it allows. A 429 means
 * that others spend the same quota elsewhere: it pauses everybody, lowers the pace for a while, and one call
 * then shows whether the others may follow. A few calls are kept back for edits.
 * Invariant: whatever the limit, there is always a moment at which a call may leave.
 */
import type { SteadyClock } from "./clock";

export interface CallWindow {
  /** Whether one more call may leave now; an edit may use what is kept back. */
  allows(isEdit: boolean): boolean;
  sent(): void;
  /** A call sent before has ended, in whatever way. */
  ended(): void;
  /** The service answered 429 to a call sent at this time. */
  throttled(sentAtMs: number, retryAfterMs: number | null): void;
  succeeded(): void;
  /** How long until so many more calls may have left (1: the next), as far as is known. */
  opensInMs(calls: number, isEdit: boolean): number;
  /** Calls that count now. */
  used(): number;
}

const windowMs = 60_000 + 50;
const mostKeptBack = 20;
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

export function createCallWindow(clock: SteadyClock, limit: number): CallWindow {
  /** End of each call's stay, oldest first. */
  const ends: number[] = [];
  let underWay = 0;
  let pausedUntilMs = -Infinity;
  let throttles = 0;
  let lastThrottledAtMs = -Infinity;
  let loweredPace = limit;
  let loweredAtMs = -Infinity;
  const recoveryPerMs = limit / 5 / 60_000;
  const keptBack = Math.min(mostKeptBack, Math.floor(limit / 10));

  function used(): number {
    const nowMs = clock.now();
    while ((ends[0] ?? Infinity) <= nowMs) ends.shift();
    return ends.length + underWay;
  }

  function allowance(isEdit: boolean, atMs: number): number {
    const recovered = loweredPace === limit ? 0 : (atMs - loweredAtMs) * recoveryPerMs;
    const pace = Math.min(limit, Math.floor(loweredPace + recovered));
    return isEdit ? pace : Math.max(1, pace - keptBack);
  }

  function allows(isEdit: boolean): boolean {
    const nowMs = clock.now();
    if (nowMs < pausedUntilMs || (throttles > 0 && underWay > 0)) return false;
    return used() < allowance(isEdit, nowMs);
  }

  function opensInMs(calls: number, isEdit: boolean): number {
    const nowMs = clock.now();
    const wanted = used() + calls;
    const over = wanted - allowance(isEdit, nowMs);
    const pauseMs = Math.max(0, pausedUntilMs - nowMs);
    if (over <= 0) return pauseMs;
    // What is still under way will count for a whole window from its answer, which is yet to come.
    const windowOpensMs = (ends[over - 1] ?? nowMs + windowMs) - nowMs;
    const missing = wanted + (isEdit ? 0 : keptBack) - loweredPace;
    const recoversMs =
      wanted <= allowance(isEdit, Infinity) && loweredPace < limit
        ? Math.max(1, Math.ceil(loweredAtMs + missing / recoveryPerMs - nowMs))
        : Infinity;
    return Math.max(pauseMs, Math.min(windowOpensMs, recoversMs));
  }

  function throttled(sentAtMs: number, retryAfterMs: number | null): void {
    const nowMs = clock.now();
    // Calls that were under way together meet the same refusal; it lowers the pace once.
    const isNews = sentAtMs >= lastThrottledAtMs;
    if (isNews) {
      throttles += 1;
      loweredPace = Math.max(1, limit / 10, Math.min(allowance(true, nowMs), used()) * 0.8);
      loweredAtMs = lastThrottledAtMs = nowMs;
    }
    const ownPauseMs = isNews ? firstPauseMs * 2 ** Math.min(throttles - 1, 6) : 0;
    const pauseMs = Math.min(longestPauseMs, Math.max(retryAfterMs ?? 0, ownPauseMs));
    pausedUntilMs = Math.max(pausedUntilMs, nowMs + pauseMs);
  }

  return {
    allows,
    sent: () => void (underWay += 1),
    ended() {
      underWay -= 1;
      ends.push(clock.now() + windowMs);
    },
    throttled,
    succeeded: () => void (throttles = 0),
    opensInMs,
    used,
  };
}
