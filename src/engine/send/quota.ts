/**
 * The quota of one operation: how many calls may go now, and when the next may. The service allows a
 * number of calls in any 60 seconds to the whole company, so this is a sliding window of our own calls,
 * and a pace that gives way when a 429 shows that colleagues use the same quota.
 *
 * When a call reached the service is only known to lie between its sending and its answer. So a call counts
 * from its sending until 60 seconds after its answer: however the network delays, the service never sees
 * more of our calls in 60 seconds than it allows. A few calls are kept back for edits.
 * Where the team's server keeps the quota, it paces everybody's calls: here none waits but for a pause, and what
 * is told of the quota is what the server said last.
 * Invariant: while a call waits for nothing but time, `opensAtMs` is a moment to come, and the right one.
 */
import type { CompanyUse } from "../../api/company";
import { backoffMs, longestPauseMs } from "./backoff";
import type { Clock } from "../clock";
import type { QuotaUse } from "../types";
import { lastLeavesAtMs, type SendingPace, type Standing } from "./quota-forecast";

export interface Quota {
  /** Whether a call may go now; an edit may use the reserve. */
  allows(isEdit: boolean): boolean;
  sent(): void;
  /** A call sent before has ended, in whatever way. */
  ended(): void;
  /** The service said 429 to a call sent at this time. */
  throttled(sentAtMs: number, retryAfterMs: number | null): void;
  /** The team's server sent a call back, for so long; edits may still go unless it was one. */
  turnedAway(isEdit: boolean, retryAfterMs: number): void;
  /** The team's server said how the company's quota stands. */
  told(use: CompanyUse): void;
  /** A call sent before took nothing of the company's quota: colleagues' calls had brought its answer. */
  wasFree(): void;
  succeeded(): void;
  /** The first moment from this one on at which a call may go; Infinity when a call under way has to end first. */
  opensAtMs(isEdit: boolean, nowMs: number): number;
  use(): QuotaUse;
  /** How long from now until so many calls are sent, as far as the quota paces them; 0 when it does not. */
  waitForMs(calls: number, pace: SendingPace): number;
}

/** The service's window, and a little for the grain of both clocks. */
const windowMs = 60_000 + 50;
const reserveForEdits = 20;
/** A pace lowered by refusals comes back by this part of the limit in a minute. */
const recoveryOfAMinute = 1 / 5;

/** A company's figures that are older than its window say nothing. */
const toldForMs = 60_000;

export interface QuotaOptions {
  readonly limit: number;
  readonly pacedBy: "page" | "server";
}

export function createQuota(clock: Clock, { limit, pacedBy }: QuotaOptions): Quota {
  const isPaced = pacedBy === "page";
  const turnedAwayUntilMs = { edits: 0, others: 0 };
  let lastTold: { readonly use: CompanyUse; readonly atMs: number } | null = null;
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

  /** Never below one call in a window, or nothing would ever go again. */
  function pace(nowMs: number): number {
    const recovered = ((nowMs - loweredAtMs) / 60_000) * limit * recoveryOfAMinute;
    return Math.max(1, Math.min(limit, Math.floor(loweredPace + recovered)));
  }

  /** When the pace will allow so many calls, 1 or more, in a window. */
  function recoversAtMs(calls: number): number {
    if (calls <= 1) return 0;
    if (calls > limit) return Infinity;
    // A little more than exact, so that rounding does not leave it a hair below.
    return loweredAtMs + Math.ceil(((calls - loweredPace) / (limit * recoveryOfAMinute)) * 60_000 + 0.001);
  }

  function allowance(isEdit: boolean, nowMs: number): number {
    const calls = pace(nowMs);
    return isEdit ? calls : calls - Math.min(reserveForEdits, Math.floor(calls / 10));
  }

  /** The least pace whose allowance is so many calls. */
  function paceFor(calls: number, isEdit: boolean): number {
    return isEdit ? calls : calls + Math.min(reserveForEdits, Math.floor((calls - 1) / 9));
  }

  function pauseEndsAtMs(isEdit: boolean): number {
    return Math.max(pausedUntilMs, isEdit ? turnedAwayUntilMs.edits : turnedAwayUntilMs.others);
  }

  function allows(isEdit: boolean): boolean {
    const nowMs = clock.now();
    if (nowMs < pauseEndsAtMs(isEdit)) return false;
    // After a 429, one call shows whether the others may follow.
    if (throttles > 0 && inFlight > 0) return false;
    return !isPaced || used(nowMs) < allowance(isEdit, nowMs);
  }

  /** Two things open the window, whichever comes first: calls leave it, and the pace recovers. */
  function opensAtMs(isEdit: boolean, nowMs: number): number {
    if (throttles > 0 && inFlight > 0) return Infinity;
    const fromMs = Math.max(nowMs, pauseEndsAtMs(isEdit));
    if (!isPaced) return fromMs;
    const full = used(nowMs);
    let openMs = Infinity;
    for (let left = 0; left <= full - inFlight; left += 1) {
      const leftAtMs = left === 0 ? fromMs : Math.max(fromMs, ends[head + left - 1] ?? Infinity);
      if (leftAtMs >= openMs) break;
      const neededPace = paceFor(full - left + 1, isEdit);
      openMs = Math.min(openMs, Math.max(leftAtMs, recoversAtMs(neededPace)));
    }
    return openMs;
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
    const closed = nowMs < pauseEndsAtMs(false) || (isPaced && used(nowMs) >= allowance(false, nowMs));
    const opensMs = closed ? opensAtMs(false, nowMs) : Infinity;
    const known = company(nowMs) ?? { used: used(nowMs), limit };
    return { ...known, resumesAtMs: opensMs === Infinity ? null : opensMs };
  }

  /** Null where nothing was told lately. */
  function company(nowMs: number): CompanyUse | null {
    return lastTold !== null && nowMs - lastTold.atMs < toldForMs ? lastTold.use : null;
  }

  function waitForMs(calls: number, pace: SendingPace): number {
    const nowMs = clock.now();
    const endsMs = ends.slice(head);
    // Of calls under way, and of colleagues', it is not known when they will have left the window.
    for (let unknown = (company(nowMs)?.used ?? used(nowMs)) - endsMs.length; unknown > 0; unknown -= 1) {
      endsMs.push(nowMs + windowMs);
    }
    const standing: Standing = {
      fromMs: Math.max(nowMs, pauseEndsAtMs(false)),
      endsMs,
      windowMs,
      allowanceAt: (atMs) => allowance(false, atMs),
      opensAtMs: (wanted) => recoversAtMs(paceFor(wanted, false)),
    };
    return lastLeavesAtMs(calls, standing, pace) - nowMs;
  }

  return {
    allows,
    sent: () => void (inFlight += 1),
    ended() {
      inFlight -= 1;
      ends.push(clock.now() + windowMs);
    },
    throttled,
    turnedAway(isEdit, retryAfterMs) {
      const untilMs = clock.now() + Math.min(retryAfterMs, longestPauseMs);
      turnedAwayUntilMs.others = Math.max(turnedAwayUntilMs.others, untilMs);
      if (isEdit) turnedAwayUntilMs.edits = Math.max(turnedAwayUntilMs.edits, untilMs);
    },
    told: (use) => void (lastTold = { use, atMs: clock.now() }),
    wasFree: () => undefined,
    succeeded: () => void (throttles = 0),
    opensAtMs,
    use,
    waitForMs,
  };
}
