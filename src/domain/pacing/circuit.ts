/**
 * The circuit breaker of one operation: whether its service seems alive. One
 * failure among successes is tried again and disturbs nothing. Failures without a success between them leave
 * the circuit half open: one call at a time, with growing pauses. Five such rounds, or two that took half a
 * minute (a frozen service lets each call run into its timeout), are called an outage: whoever waits is told
 * at once. So a dead service meets about ten calls and not one per cell, and the first success lets all go.
 */
import { backoffMs } from "./backoff";

/** Steady time in milliseconds, and chance from 0 up to but not including 1. */
interface Clock {
  steadyNow(): number;
  random(): number;
}

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
