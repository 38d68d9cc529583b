/**
 * A guard on what nobody was asked about: formulas filled down a sheet may want more calls than the company
 * can spare. A burst of work may send a number of calls unasked, those of the sheet in view first; where it
 * wants more, the rest is held and a person is asked. Without an answer it goes on by itself after a stated
 * time, at a pace that leaves others half of the quota: nothing is ever stuck.
 *
 * A burst ends when nothing has waited or been under way for a while, however it ended. Edits pass. A refresh was
 * priced before the click, so it is an answer already. What took nothing of the quota is not counted: a call that was
 * answered from what colleagues' calls had brought, or that the team's server rejected.
 */
import type { Operation } from "../../domain/environment";
import type { Clock } from "../clock";
import type { Quota } from "./quota";

export type Spending = ReturnType<typeof createSpending>;

export interface SpendingOptions {
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

export function createSpending({ clock, limit, callsWaiting }: SpendingOptions) {
  let spent = 0;
  let isApproved = false;
  let askedAtMs: number | null = null;
  /** Since when nothing waits and nothing is under way; null while something is. */
  let quietSinceMs: number | null = null;

  /** What waited was given up: the next burst begins anew. */
  function reset(): void {
    spent = 0;
    isApproved = false;
    askedAtMs = null;
    quietSinceMs = null;
  }

  function endWhenOver(): void {
    if (quietSinceMs !== null && clock.steadyNow() - quietSinceMs > burstQuietMs) reset();
  }

  function waiting(): number {
    const { search, events } = callsWaiting();
    return search + events;
  }

  /** Whether nobody need be asked. Asks a person where this one wants too much. */
  function isFree(nowMs: number): boolean {
    if (limit() === 0) return true;
    endWhenOver();
    if (isApproved) return true;
    if (spent + waiting() > limit()) askedAtMs ??= nowMs;
    return spent < limit();
  }

  return {
    /** The first moment from this one on at which a call that is no edit may go. Asks a person where that is later. */
    opensAtMs(quota: Quota, nowMs: number): number {
      if (isFree(nowMs)) return nowMs;
      askedAtMs ??= nowMs;
      const goesOnAtMs = askedAtMs + holdMs;
      if (nowMs < goesOnAtMs) return goesOnAtMs;
      return leavesHalf(quota) ? nowMs : nowMs + lookAgainMs;
    },
    sent: () => void (spent += limit() === 0 ? 0 : 1),
    /** A call sent before took nothing of the company's quota. */
    tookNothing: () => void (spent = Math.max(0, spent - 1)),
    /** Whether anything waits or is under way now. */
    note(isBusy: boolean): void {
      endWhenOver();
      if (isBusy) quietSinceMs = null;
      else quietSinceMs ??= clock.steadyNow();
    },
    /** The person says: fetch all of this burst. */
    approve(): void {
      endWhenOver();
      isApproved = true;
      quietSinceMs = null;
    },
    reset,
    /** When what waits goes on without an answer; null while there is nothing to ask. */
    goesOnAtMs(): number | null {
      endWhenOver();
      return isApproved || askedAtMs === null || waiting() === 0 ? null : askedAtMs + holdMs;
    },
  };
}

function leavesHalf(quota: Quota): boolean {
  const { used, limit } = quota.use();
  return used < limit / 2;
}
