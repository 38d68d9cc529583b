/**
 * The quota of one operation: how many calls may go now, and when the next may. The service allows a
 * number of calls in any 60 seconds to the whole company, so this is a sliding window of our own calls,
 * and a pace that gives way when a 429 shows that colleagues use the same quota.
 *
 * When a call reached the service is only known to lie between its sending and its answer. So a call counts
 * from its sending until 60 seconds after its answer: however the network delays, the service never sees
 * more of our calls in 60 seconds than it allows. A few calls are kept back for edits.
 */
import { backoffMs, longestPauseMs } from "./backoff";
import type { Clock } from "../clock";
import type { QuotaUse } from "../types";

export interface Quota {
  /** Whether a call may go now; an edit may use the reserve. */
  allows(isEdit: boolean): boolean;
  sent(): void;
  /** A call sent before has ended, in whatever way. */
  ended(): void;
  /** The service said 429 to a call sent at this time. */
  throttled(sentAtMs: number, retryAfterMs: number | null): void;
  succeeded(): void;
  /** When a call may go at the earliest, seen from this time; then or earlier where one may. */
  opensAtMs(isEdit: boolean, nowMs: number): number;
  use(): QuotaUse;
  /** How long from now until so many calls are sent, as far as the quota paces them; 0 when it does not. */
  waitForMs(calls: number, pace: SendingPace): number;
}

/** How fast calls go when the quota does not pace them. */
export interface SendingPace {
  readonly connections: number;
  readonly latencyMs: number;
}

/** The service's window, and a little for the grain of both clocks. */
const windowMs = 60_000 + 50;
const reserveForEdits = 20;

export function createQuota(clock: Clock, limit: number): Quota {
  /** End of each call's stay in the window, oldest first from `head`. */
  const ends: number[] = [];
  let head = 0;
  let inFlight = 0;
  let pausedUntilMs = 0;
  let lastThrottledAtMs = -Infinity;
  let throttles = 0;
  let loweredPace = limit;
  let loweredAtMs = 0;

  function used(nowMs: number): number {
    while ((ends[head] ?? Infinity) <= nowMs) head += 1;
    if (head > 1_000 && head * 2 > ends.length) {
      ends.splice(0, head);
      head = 0;
    }
    return ends.length - head + inFlight;
  }

  /** Lowered by refusals, it comes back by a fifth of the limit in a minute. */
  function pace(nowMs: number): number {
    const recovered = ((nowMs - loweredAtMs) / 60_000) * (limit / 5);
    return Math.min(limit, Math.floor(loweredPace + recovered));
  }

  function allowance(isEdit: boolean, nowMs: number): number {
    return isEdit ? pace(nowMs) : pace(nowMs) - Math.min(reserveForEdits, Math.floor(limit / 10));
  }

  function allows(isEdit: boolean): boolean {
    const nowMs = clock.now();
    if (nowMs < pausedUntilMs) return false;
    // After a 429, one call shows whether the others may follow.
    if (throttles > 0 && inFlight > 0) return false;
    return used(nowMs) < allowance(isEdit, nowMs);
  }

  function opensAtMs(isEdit: boolean, nowMs: number): number {
    const over = used(nowMs) - allowance(isEdit, nowMs);
    const windowOpensAtMs = over < 0 ? 0 : (ends[head + over] ?? ends[ends.length - 1] ?? 0);
    return Math.max(pausedUntilMs, windowOpensAtMs);
  }

  function throttled(sentAtMs: number, retryAfterMs: number | null): void {
    const nowMs = clock.now();
    // Calls that were under way together meet the same refusal; it lowers the pace once.
    const isNews = sentAtMs >= lastThrottledAtMs;
    if (isNews) {
      throttles += 1;
      loweredPace = Math.max(limit / 10, Math.min(pace(nowMs), used(nowMs)) * 0.8);
      loweredAtMs = lastThrottledAtMs = nowMs;
    }
    const ownWaitMs = isNews ? backoffMs(throttles, clock.random()) : 0;
    const waitMs = Math.min(Math.max(retryAfterMs ?? 0, ownWaitMs), longestPauseMs);
    pausedUntilMs = Math.max(pausedUntilMs, nowMs + waitMs);
  }

  function use(): QuotaUse {
    const nowMs = clock.now();
    const closed = nowMs < pausedUntilMs || used(nowMs) >= allowance(false, nowMs);
    return { used: used(nowMs), limit, resumesAtMs: closed ? opensAtMs(false, nowMs) : null };
  }

  /** Each window's calls follow those of the window before, a window and a latency later. */
  function waitForMs(calls: number, { connections, latencyMs }: SendingPace): number {
    const nowMs = clock.now();
    const pauseMs = Math.max(0, pausedUntilMs - nowMs);
    const perWindow = Math.max(1, allowance(false, nowMs));
    const free = Math.max(0, perWindow - used(nowMs));
    if (calls <= free) return pauseMs;
    const fullWindows = Math.ceil((calls - free) / perWindow) - 1;
    const rest = calls - free - fullWindows * perWindow;
    const knownEndMs = ends[head + rest - 1];
    const firstMs =
      knownEndMs === undefined
        ? windowMs + Math.ceil(rest / connections) * latencyMs
        : Math.max(0, knownEndMs - nowMs);
    return Math.max(firstMs + fullWindows * (windowMs + latencyMs), pauseMs);
  }

  return {
    allows,
    sent: () => void (inFlight += 1),
    ended() {
      inFlight -= 1;
      ends.push(clock.now() + windowMs);
    },
    throttled,
    succeeded: () => void (throttles = 0),
    opensAtMs,
    use,
    waitForMs,
  };
}
