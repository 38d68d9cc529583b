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

/** When a call was sent, and how many failures the circuit breaker had counted by then. */
export interface CallStart {
  readonly failuresBefore: number;
  readonly atMs: number;
}

/**
 * The circuit breaker. A failure half-opens the circuit: one call at a time is sent, with growing pauses, until a success closes it.
 * Calls that are in flight together often fail together, so they count once: a call's failure counts only if none was counted since it
 * was sent. Five failures are an outage. Two or more failures that took 25 seconds in total are an outage, too, because a service that
 * hangs lets each call run into its timeout. In an outage all queued calls fail at once. So a dead service receives about ten calls, not
 * one for each cell.
 */
export function createCircuit(clock: Clock) {
  /** Failures since the last success, and since the start. */
  let failures = 0;
  let failuresEver = 0;
  let pausedUntilMs = 0;
  /** Time that the failed calls took, without the pauses between them. */
  let failingMs = 0;

  /** Counts the failure of a call. Returns whether this is an outage. */
  function noteFailure({ failuresBefore, atMs }: CallStart): boolean {
    if (failuresBefore === failuresEver) {
      // A call whose computer slept took no longer than its timeout.
      const tookMs = Math.min(clock.steadyNow() - atMs, attemptTimeoutMs);
      failingMs = (failures === 0 ? 0 : failingMs) + tookMs;
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
    /** Returns what a call that is sent now must keep until it has ended. */
    callStart: (): CallStart => ({ failuresBefore: failuresEver, atMs: clock.steadyNow() }),
    noteFailure,
    succeeded: () => void (failures = 0),
    isDoubtful: () => failures > 0,
    /** Forgets past failures, because a person wants to try again. */
    reset: () => void (failures = 0),
  };
}

const maxFailures = 4;
const maxRetriesLeft = 50;
const retriesPerSuccess = 0.25;

/**
 * The retry budget. A call is sent at most four times, so its attempts and the pauses between them take 64 seconds at most. Time
 * that it waits for a slot or the quota doesn't count. All calls of the operation share an allowance of retries, which successes
 * refill.
 */
export function createRetries(clock: Clock) {
  let retriesLeft = maxRetriesLeft;

  return {
    /** Counts a failure. Returns whether the call may be retried, and then sets the pause in the call. */
    takeRetry(call: Pick<Call<unknown, unknown>, "failures" | "notBeforeMs">): boolean {
      call.failures += 1;
      if (call.failures >= maxFailures || retriesLeft < 1) return false;
      retriesLeft -= 1;
      call.notBeforeMs = clock.steadyNow() + backoffMs(call.failures, clock.random());
      return true;
    },
    succeeded: () => void (retriesLeft = Math.min(maxRetriesLeft, retriesLeft + retriesPerSuccess)),
  };
}
