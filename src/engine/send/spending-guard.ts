/**
 * A guard on what nobody was asked about: formulas filled down a sheet may want more calls than the company
 * can spare. A burst of work may send a number of calls unasked, those of the sheet in view first; where it
 * wants more, the rest is held and a person is asked. Without an answer it goes on by itself after a stated
 * time, at a pace that leaves others half of the quota: nothing is ever stuck.
 *
 * A burst ends when nothing has waited for a while. Edits pass. A refresh was priced before the click, so it
 * is an answer already. What took nothing of the quota is not counted: a call that colleagues' calls had brought the
 * answer of, or that the team's server sent back.
 */
import type { Operation } from "../../domain/environment";
import type { Clock } from "../clock";
import type { Quota } from "./quota";

export interface SpendingGuard {
  /** The same quota, with the guard before it. */
  guarded(quota: Quota): Quota;
  /** The person says: fetch all of this burst. */
  approve(): void;
  /** What waited was given up: the next burst begins anew. */
  reset(): void;
  /** What is to be asked now; null while there is nothing to ask. */
  question(): Held | null;
}

interface Held {
  readonly calls: Readonly<Record<Operation, number>>;
  /** When they go on without an answer. */
  readonly goesOnAtMs: number;
}

export interface SpendingGuardOptions {
  readonly clock: Clock;
  /** Calls that may go unasked; 0 asks never. */
  limit(): number;
  callsWaiting(): Readonly<Record<Operation, number>>;
}

/** How long a question stands before the work goes on by itself. */
const holdMs = 30_000;
const burstQuietMs = 10_000;
/** The quota's own moments are not known here, so a slow burst looks again this often. */
const lookAgainMs = 1_000;
/** Counting what waits costs a look at every store. */
const countEveryMs = 100;

export function createSpendingGuard({ clock, limit, callsWaiting }: SpendingGuardOptions): SpendingGuard {
  let spent = 0;
  let isApproved = false;
  let askedAtMs: number | null = null;
  /** When the last call that waited was sent; null while calls wait. */
  let emptySinceMs: number | null = null;
  let countedAtMs = -Infinity;

  function reset(): void {
    spent = 0;
    isApproved = false;
    askedAtMs = null;
    emptySinceMs = null;
    countedAtMs = -Infinity;
  }

  function waiting(): number {
    const { search, events } = callsWaiting();
    return search + events;
  }

  /** Ends a burst that is over, and asks where this one wants too much. */
  function look(): void {
    const nowMs = clock.now();
    if (emptySinceMs !== null && nowMs - emptySinceMs > burstQuietMs) reset();
    if (isApproved || askedAtMs !== null || nowMs - countedAtMs < countEveryMs) return;
    countedAtMs = nowMs;
    if (spent + waiting() > limit()) askedAtMs = nowMs;
  }

  /** Whether the quota's own word is enough. */
  function isFree(): boolean {
    if (limit() === 0) return true;
    look();
    return isApproved || spent < limit();
  }

  function leavesHalf(quota: Quota): boolean {
    const use = quota.use();
    return use.used < use.limit / 2;
  }

  return {
    guarded: (quota) => ({
      ...quota,
      allows(isEdit) {
        if (!quota.allows(isEdit)) return false;
        if (isEdit || isFree()) return true;
        askedAtMs ??= clock.now();
        return clock.now() >= askedAtMs + holdMs && leavesHalf(quota);
      },
      opensAtMs(isEdit, nowMs) {
        const opensAtMs = quota.opensAtMs(isEdit, nowMs);
        if (isEdit || askedAtMs === null || isFree()) return opensAtMs;
        const goesOnAtMs = askedAtMs + holdMs;
        if (nowMs < goesOnAtMs) return Math.max(opensAtMs, goesOnAtMs);
        return leavesHalf(quota) ? opensAtMs : Math.max(opensAtMs, nowMs + lookAgainMs);
      },
      sent() {
        quota.sent();
        if (limit() === 0) return;
        spent += 1;
        emptySinceMs = waiting() === 0 ? clock.now() : null;
      },
      turnedAway(isEdit, retryAfterMs) {
        quota.turnedAway(isEdit, retryAfterMs);
        spent = Math.max(0, spent - 1);
      },
      wasFree() {
        quota.wasFree();
        spent = Math.max(0, spent - 1);
      },
    }),
    approve() {
      isApproved = true;
      emptySinceMs = waiting() === 0 ? clock.now() : null;
    },
    reset,
    question() {
      if (isApproved || askedAtMs === null) return null;
      if (waiting() === 0) return null;
      return { calls: callsWaiting(), goesOnAtMs: askedAtMs + holdMs };
    },
  };
}
