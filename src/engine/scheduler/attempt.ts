/**
 * One attempt of one call, and what failures of an operation lead to, so that a service in trouble is not hit harder
 * because thousands of cells want it: how often a call is sent again, and whether the service seems alive at all (the
 * circuit breaker).
 */
import type { Failure } from "../../api/outcomes";
import { InvError } from "../../domain/errors";
import type { Clock } from "../clock";
import type { Call } from "../entry";
import type { ConnectionContext } from "../connection-context";
import { backoffMs } from "../../domain/pacing";

export interface Attempt<Outcome> {
  readonly outcome: Promise<Outcome | AttemptFailure>;
  /** Ends it now, for somebody who no longer wants its answer. */
  abort(): void;
}

type AttemptFailure = Extract<Failure, { kind: "unavailable" | "unreadable" }>;

export interface Exchange<Outcome> {
  build(signal: AbortSignal): Request;
  receive(response: Response): Promise<Outcome>;
}

export const attemptTimeoutMs = 15_000;

/**
 * Whatever happens (a transport that throws, hangs or breaks off, an address that is none) becomes an outcome. It always
 * ends, once, and within its time, even when the transport ignores that it was told to stop.
 */
export function beginAttempt<Outcome>(
  { clock, transport }: Pick<ConnectionContext, "clock" | "transport">,
  { build, receive }: Exchange<Outcome>,
): Attempt<Outcome> {
  const controller = new AbortController();
  let end: (ended: Outcome | AttemptFailure) => void = () => undefined;
  const outcome = new Promise<Outcome | AttemptFailure>((resolve) => (end = resolve));
  const giveUp = (failure: AttemptFailure): void => {
    clock.clearTimeout(timer);
    end(failure);
    controller.abort();
  };
  const timer = clock.setTimeout(() => giveUp(timedOut()), attemptTimeoutMs);

  async function run(): Promise<Outcome | AttemptFailure> {
    let request: Request;
    try {
      request = build(controller.signal);
    } catch (cause) {
      return { kind: "unreadable", error: new InvError("wrong-address", badAddress, { cause }) };
    }
    try {
      return await receive(await transport(request));
    } catch (cause) {
      return { kind: "unavailable", error: new InvError("unreachable", unreachable, { cause }) };
    }
  }

  void run().then((ended) => {
    clock.clearTimeout(timer);
    end(ended);
  });
  return { outcome, abort: () => giveUp(givenUp()) };
}

const unreachable =
  "The service cannot be reached. Check the network connection, then refresh; if it stays, ask the administrator.";
const badAddress =
  "Expected a web address for the service, the environment has another. Ask the administrator to check it.";

function timedOut(): AttemptFailure {
  const message = `The service did not answer within ${attemptTimeoutMs / 1_000} seconds. Refresh in a few minutes; if it stays, send support the diagnostics (Settings tab).`;
  return { kind: "unavailable", error: new InvError("timeout", message) };
}

function givenUp(): AttemptFailure {
  const message = "The call was given up. Refresh to ask again.";
  return { kind: "unavailable", error: new InvError("cancelled", message) };
}

const attemptsOfACall = 4;
/** The pause and the attempt that would pass it are not begun. */
const totalMs = 60_000;
const allowance = 50;
const refundOfASuccess = 0.25;

/**
 * A call is sent again a few times, within a total that counts from its first sending (waiting for slot or quota is not
 * the call's), and paid from an allowance that all calls of the operation share and successes refill.
 */
export function createRetries(clock: Clock) {
  let left = allowance;

  return {
    /** Counts a failure. Whether there is another try, which then waits in the call. */
    mayTryAgain(call: Call): boolean {
      call.attempts += 1;
      const nowMs = clock.steadyNow();
      const waitMs = backoffMs(call.attempts, clock.random());
      const endsAtMs = (call.firstSentAtMs ?? nowMs) + totalMs;
      const isOver = call.attempts >= attemptsOfACall || nowMs + waitMs + attemptTimeoutMs > endsAtMs;
      if (isOver || left < 1) return false;
      left -= 1;
      call.notBeforeMs = nowMs + waitMs;
      return true;
    },
    succeeded: () => void (left = Math.min(allowance, left + refundOfASuccess)),
  };
}

const roundsToOutage = 5;
const slowRoundsToOutage = 2;
/** A frozen service lets each of two calls run into its timeout. */
const slowMs = 25_000;
/** Between the calls that find out whether an outage is over. */
const outagePauseMs = 1_000;

/**
 * One failure among successes is tried again and disturbs nothing. Failures without a success between them leave the
 * circuit half open: one call at a time, with growing pauses. Five such rounds, or two that took half a minute (a frozen
 * service lets each call run into its timeout), are called an outage: whoever waits is told at once. So a dead service
 * meets about ten calls and not one per cell, and the first success lets all go.
 */
export function createCircuit(clock: Clock) {
  let failures = 0;
  let round = 0;
  let pausedUntilMs = 0;
  /** What the failing rounds took. The time between them is not the service's: the quota may have had them wait. */
  let failingMs = 0;

  /** A call that was sent in this round and at this time failed. True when that makes it an outage. */
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
    /** From when a call may go beside this many others; Infinity where one of them has to end first. */
    opensAtMs(inFlight: number): number {
      if (failures === 0) return 0;
      return inFlight === 0 ? pausedUntilMs : Infinity;
    },
    /** Counts rounds: calls that were under way together fail together and count as one failure. */
    round: () => round,
    failed,
    succeeded: () => void (failures = 0),
    /** True while nothing has succeeded since the last failure. */
    isDoubtful: () => failures > 0,
    /** Forgets past failures, because somebody wants to try again. */
    reset(): void {
      failures = 0;
      pausedUntilMs = 0;
    },
  };
}
