/**
 * What keeps thousands of waiting cells from overloading a service that is already failing: the circuit breaker and the retry
 * budget.
 */
import type { Clock } from "../clock";
import type { Call } from "../entry";
import { backoffMs } from "../../domain/pacing";
import { attemptTimeoutMs } from "./attempt";

const failuresToOutage = 5;
const slowFailuresToOutage = 2;
const slowMs = 25_000;
/** Pause between the calls that check whether an outage is over. */
const outagePauseMs = 1_000;

/**
 * The circuit breaker. A failure half-opens the circuit: one call at a time is sent, with growing pauses, until a success closes it.
 * Calls that fail together count as one failure: a call counts only if no other failure was counted since it was sent. Five failures
 * are an outage, and so are two that took 25 seconds, because a service that hangs lets each call run into its timeout. In an outage
 * all waiting calls fail at once. So a dead service receives about ten calls, not one for each cell.
 */
export function createCircuit(clock: Clock) {
  /** Failures since the last success, and since the start. */
  let failures = 0;
  let failuresEver = 0;
  let pausedUntilMs = 0;
  /** Time that the failed calls took. Between them, calls may have waited for the quota. */
  let failingMs = 0;

  /** Counts the failure of a call. `failuresBefore` was the number of failures since the start when it was sent. Returns whether there is now an outage. */
  function noteFailure(failuresBefore: number, sentAtMs: number): boolean {
    if (failuresBefore === failuresEver) {
      failingMs = (failures === 0 ? 0 : failingMs) + clock.steadyNow() - sentAtMs;
      failuresEver += 1;
      failures += 1;
      pausedUntilMs = clock.steadyNow() + pauseMs();
    }
    return isOutage();
  }

  function isOutage(): boolean {
    if (failures >= failuresToOutage) return true;
    return failures >= slowFailuresToOutage && failingMs >= slowMs;
  }

  function pauseMs(): number {
    if (isOutage()) return outagePauseMs;
    return failures === 1 ? 0 : backoffMs(failures - 1, clock.random());
  }

  return {
    /** Returns when a call may leave while `inFlight` calls are in flight; Infinity if one of them must end first. */
    opensAtMs(inFlight: number): number {
      if (failures === 0) return 0;
      return inFlight === 0 ? pausedUntilMs : Infinity;
    },
    /** Counts all failures so far. A call keeps the number with which it was sent. */
    failuresEver: () => failuresEver,
    noteFailure,
    succeeded: () => void (failures = 0),
    isDoubtful: () => failures > 0,
    /** Forgets past failures, because a person wants to try again. */
    reset(): void {
      failures = 0;
      pausedUntilMs = 0;
    },
  };
}

type Retried = Pick<Call<unknown, unknown>, "attempts" | "firstSentAtMs" | "notBeforeMs">;

const maxAttempts = 4;
/** A retry doesn't start if it could end later than this after the call's first attempt. */
const totalMs = 60_000;
const maxRetriesLeft = 50;
const retriesPerSuccess = 0.25;

/**
 * The retry budget. A call is retried a few times, within a total time since it was first sent. That time excludes waiting for
 * a slot or the quota. All calls of the operation share an allowance of retries, which successes refill.
 */
export function createRetries(clock: Clock) {
  let retriesLeft = maxRetriesLeft;

  return {
    /** Counts a failure. Returns whether the call may be retried, and then sets the pause in the call. */
    takeRetry(call: Retried): boolean {
      call.attempts += 1;
      const nowMs = clock.steadyNow();
      const waitMs = backoffMs(call.attempts, clock.random());
      const endsAtMs = (call.firstSentAtMs ?? nowMs) + totalMs;
      const isOver = call.attempts >= maxAttempts || nowMs + waitMs + attemptTimeoutMs > endsAtMs;
      if (isOver || retriesLeft < 1) return false;
      retriesLeft -= 1;
      call.notBeforeMs = nowMs + waitMs;
      return true;
    },
    succeeded: () => void (retriesLeft = Math.min(maxRetriesLeft, retriesLeft + retriesPerSuccess)),
  };
}
