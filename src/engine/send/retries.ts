/**
 * What failures of one operation lead to, so that a service in trouble is not hit harder because thousands of cells want
 * it: how often a call that failed is sent again, and whether the service seems alive at all (the circuit breaker).
 */
import type { Call } from "../entry";
import type { Clock } from "../clock";
import { attemptTimeoutMs } from "./attempt";
import { backoffMs } from "../../domain/pacing";

/**
 * A call is sent again a few times, within a total that counts from its first sending (waiting for slot or quota is not
 * the call's), and paid from an allowance that all calls of the operation share and successes refill.
 */
export interface Retries {
  /** Counts a failure. The wait before the next try, or null where there is none. */
  failed(call: Call): number | null;
  succeeded(): void;
}

const attemptsOfACall = 4;
/** The pause and the attempt that would pass it are not begun. */
const totalMs = 60_000;
const allowance = 50;
const refundOfASuccess = 0.25;

export function createRetries(clock: Clock): Retries {
  let left = allowance;

  return {
    failed(call) {
      call.attempts += 1;
      const nowMs = clock.steadyNow();
      const waitMs = backoffMs(call.attempts, clock.random());
      const endsAtMs = (call.firstSentAtMs ?? nowMs) + totalMs;
      const isOver = call.attempts >= attemptsOfACall || nowMs + waitMs + attemptTimeoutMs > endsAtMs;
      if (isOver || left < 1) return null;
      left -= 1;
      return waitMs;
    },
    succeeded: () => void (left = Math.min(allowance, left + refundOfASuccess)),
  };
}

/**
 * One failure among successes is tried again and disturbs nothing. Failures without a success between them leave the
 * circuit half open: one call at a time, with growing pauses. Five such rounds, or two that took half a minute (a frozen
 * service lets each call run into its timeout), are called an outage: whoever waits is told at once. So a dead service
 * meets about ten calls and not one per cell, and the first success lets all go.
 */
export interface Circuit {
  /** From when a call may go beside this many others; Infinity where one of them has to end first. */
  opensAtMs(inFlight: number): number;
  /** Counts rounds: calls that were under way together fail together and count as one failure. */
  round(): number;
  /** A call that was sent in this round and at this time failed. True when that makes it an outage. */
  failed(ofRound: number, sentAtMs: number): boolean;
  succeeded(): void;
  /** True while nothing has succeeded since the last failure. */
  isDoubtful(): boolean;
  /** Forgets past failures, because somebody wants to try again. */
  reset(): void;
}

const roundsToOutage = 5;
const slowRoundsToOutage = 2;
/** A frozen service lets each of two calls run into its timeout. */
const slowMs = 25_000;
/** Between the calls that find out whether an outage is over. */
const outagePauseMs = 1_000;

export function createCircuit(clock: Clock): Circuit {
  let failures = 0;
  let round = 0;
  let pausedUntilMs = 0;
  /** What the failing rounds took. The time between them is not the service's: the quota may have had them wait. */
  let failingMs = 0;

  function failed(ofRound: number, sentAtMs: number): boolean {
    if (ofRound === round) {
      failingMs = (failures === 0 ? 0 : failingMs) + clock.steadyNow() - sentAtMs;
      round += 1;
      failures += 1;
      pausedUntilMs = clock.steadyNow() + pauseMs();
    }
    return isOutage();
  }

  function isOutage(): boolean {
    if (failures >= roundsToOutage) return true;
    return failures >= slowRoundsToOutage && failingMs >= slowMs;
  }

  function pauseMs(): number {
    if (isOutage()) return outagePauseMs;
    return failures === 1 ? 0 : backoffMs(failures - 1, clock.random());
  }

  return {
    opensAtMs(inFlight) {
      if (failures === 0) return 0;
      return inFlight === 0 ? pausedUntilMs : Infinity;
    },
    round: () => round,
    failed,
    succeeded: () => void (failures = 0),
    isDoubtful: () => failures > 0,
    reset() {
      failures = 0;
      pausedUntilMs = 0;
    },
  };
}
