/**
 * The spending guard. Formulas that somebody fills down a sheet may need more calls than the company can spare. So a burst of
 * work may send a limited number of calls, beginning with the sheet in view. If it needs more, the guard holds the rest back
 * and asks a person. If nobody answers, the work continues after 30 s and uses at most half of the quota, so nothing is stuck.
 * A burst ends when nothing has waited or been in flight for 10 s. Edits always pass. A refresh shows its cost before the
 * click, so it needs no question. Calls that used no quota don't count: a colleague's call answered them, or the team's server
 * rejected them.
 */
import type { Operation } from "../../domain/environment";
import type { Clock } from "../clock";
import type { Quota } from "./quota";

export type Spending = ReturnType<typeof createSpending>;

/** What the guard says about a call. */
export interface Gate {
  readonly opensAtMs: number;
  readonly asks: boolean;
}

const holdMs = 30_000;
const burstQuietMs = 10_000;
/** The guard doesn't know when the quota frees calls. So a burst at half pace checks again after this time. */
const recheckMs = 1_000;

export function createSpending(options: {
  readonly clock: Clock;
  /** Returns the number of calls that a burst may send without a question; 0 disables the question. */
  readonly limit: () => number;
  readonly queuedCalls: () => Readonly<Record<Operation, number>>;
}) {
  const { clock, limit, queuedCalls } = options;
  let spent = 0;
  let isApproved = false;
  let askedAtMs: number | null = null;
  /** Time since which nothing waits or is in flight; null while something does. */
  let quietSinceMs: number | null = null;

  function reset(): void {
    spent = 0;
    isApproved = false;
    askedAtMs = null;
    quietSinceMs = null;
  }

  function resetAfterQuiet(): void {
    if (quietSinceMs !== null && clock.steadyNow() - quietSinceMs > burstQuietMs) reset();
  }

  function queued(): number {
    const { search, events } = queuedCalls();
    return search + events;
  }

  return {
    /** Returns when a call that isn't an edit may leave, `nowMs` at the earliest, and whether a person must be asked. */
    gate(quota: Quota, nowMs: number): Gate {
      if (limit() === 0 || isApproved) return { opensAtMs: nowMs, asks: false };
      if (spent < limit()) return { opensAtMs: nowMs, asks: spent + queued() > limit() };
      const continuesAtMs = (askedAtMs ?? nowMs) + holdMs;
      if (nowMs < continuesAtMs) return { opensAtMs: continuesAtMs, asks: true };
      return { opensAtMs: leavesHalf(quota) ? nowMs : nowMs + recheckMs, asks: true };
    },
    /** Asks a person, unless they were asked before in this burst. */
    ask: (nowMs: number) => void (askedAtMs ??= nowMs),
    /** Ends the burst if it has been quiet for long enough. Call it before each decision. */
    endBurstIfQuiet: resetAfterQuiet,
    sent: () => void (spent += limit() === 0 ? 0 : 1),
    /** Uncounts a sent call that used none of the company's quota. */
    uncount: () => void (spent = Math.max(0, spent - 1)),
    noteBusy(isBusy: boolean): void {
      resetAfterQuiet();
      if (isBusy) quietSinceMs = null;
      else quietSinceMs ??= clock.steadyNow();
    },
    approve(): void {
      resetAfterQuiet();
      isApproved = true;
      quietSinceMs = null;
    },
    reset,
    /** Returns when the work continues without an answer; null if no question is open. */
    continuesAtMs(): number | null {
      resetAfterQuiet();
      return isApproved || askedAtMs === null || queued() === 0 ? null : askedAtMs + holdMs;
    },
  };
}

function leavesHalf(quota: Quota): boolean {
  const { used, limit } = quota.use();
  return used < limit / 2;
}
