/**
 * What each outcome of a call leads to, for one operation: settled, sent again, put back or failed; and what it says
 * of the operation. It holds the operation's fault and tells its circuit, its quota and its retries, of which each
 * owns its own rule. Which call leaves when is `admission`'s.
 * Invariant: a call that ended has been settled, put back or failed, or waits in the lane to be sent again.
 */
import type { Failure } from "../../api/outcomes";
import type { Operation } from "../../domain/environment";
import type { InvError } from "../../domain/errors";
import type { Asked, Call } from "../call";
import type { Clock } from "../clock";
import type { CallLane, ServiceAnswer } from "../lane-types";
import { isFailure } from "../wire";
import { type Circuit, createCircuit } from "../../domain/pacing/circuit";
import type { Quota } from "./quota";
import { createRetries } from "./retries";
import type { TokenKeeper } from "./token";

export interface Sender {
  readonly operation: Operation;
  readonly lane: CallLane;
  readonly quota: Quota;
  readonly circuit: Circuit;
  /** Calls under way. */
  inFlight(): number;
  /** Why nothing is sent; what asks nevertheless is failed with it. */
  fault(): InvError | null;
  /** It leaves now, with this token. */
  left(call: Call, token: string): void;
  /** Returns the reason when the token was refused for good. */
  ended(call: Call, outcome: Failure | ServiceAnswer): InvError | null;
  /** A call under way is given up. */
  abandon(call: Call, error: InvError): void;
  raise(error: InvError): void;
  /** Somebody wants to try again: forgets fault and failures. */
  reset(): void;
}

export interface SenderOptions {
  readonly operation: Operation;
  readonly lane: CallLane;
  readonly clock: Clock;
  readonly quota: Quota;
  /** What a call that leaves now is told. */
  readonly stamp: () => Asked;
  readonly token: Pick<TokenKeeper, "refused">;
  /** A reason from outside for which nothing is sent, as long as it gives one. */
  readonly stopped: () => InvError | null;
}

/** This many wrong addresses without an answer between are the address's fault, not one path's. */
const wrongAddressesToFault = 3;

export function createSender(options: SenderOptions): Sender {
  const { operation, lane, clock, quota } = options;
  const circuit = createCircuit(clock);
  const retries = createRetries(clock);
  let inFlight = 0;
  let fault: InvError | null = null;
  let hasAnswered = false;
  let wrongAddresses = 0;
  /** The last token that the team's server did not know, until a call is answered. */
  let unknownToken: string | null = null;

  function ended(call: Call, outcome: Failure | ServiceAnswer): InvError | null {
    noteEnd();
    if (!isFailure(outcome)) {
      noteAnswer();
      lane.settle(call, outcome);
      return null;
    }
    switch (outcome.kind) {
      case "token-refused":
        return noteRefusedToken(call, outcome.error);
      case "token-unknown":
        noteUnknownToken(call, outcome.error);
        return null;
      case "operation-refused":
        lane.fail(call, outcome.error);
        raise(outcome.error);
        return null;
      case "throttled":
        noteThrottled(call, outcome);
        return null;
      case "unavailable":
        noteUnavailable(call, outcome.error);
        return null;
      case "unreadable":
        lane.fail(call, outcome.error);
        noteUnreadable(outcome.error);
        return null;
    }
  }

  function noteEnd(): void {
    inFlight -= 1;
    quota.ended();
  }

  function noteAnswer(): void {
    hasAnswered = true;
    unknownToken = null;
    wrongAddresses = 0;
    circuit.succeeded();
    retries.succeeded();
    quota.succeeded();
  }

  /** A second token that was refused though it was new is the credentials' fault; an old one was too old. */
  function noteRefusedToken(call: Call, error: InvError): InvError | null {
    const sentAtMs = call.asked?.atMs ?? clock.steadyNow();
    const wasNew = options.token.refused(call.token, sentAtMs, call.isRenewed);
    const isForGood = call.isRenewed && wasNew;
    call.isRenewed = true;
    lane.sendAgain(call, "first");
    return isForGood ? error : null;
  }

  /**
   * As if never sent: another token is got at once. Only where the next is not known either, the circuit makes
   * pauses, and ends a server that never knows what it gave as an outage.
   */
  function noteUnknownToken(call: Call, error: InvError): void {
    const { token, round } = call;
    const sentAtMs = call.asked?.atMs ?? clock.steadyNow();
    options.token.refused(token, sentAtMs, false);
    call.firstSentAtMs = null;
    lane.sendAgain(call, "first");
    const isNext = unknownToken !== null && unknownToken !== token;
    unknownToken = token;
    if (isNext && circuit.failed(round, sentAtMs)) lane.failWaiting(error);
  }

  function noteThrottled(call: Call, { error, retryAfterMs, isRejectedByServer }: Throttled): void {
    if (isRejectedByServer) quota.rejectedByServer(call.isEdit, retryAfterMs ?? 0);
    else quota.throttled(call.asked?.atMs ?? clock.steadyNow(), retryAfterMs);
    // As if never sent: the wait for the quota is not the call's.
    call.firstSentAtMs = null;
    if (call.canary?.isTest) lane.fail(call, error);
    else lane.putBack(call);
  }

  function noteUnavailable(call: Call, error: InvError): void {
    const isOutage = circuit.failed(call.round, call.asked?.atMs ?? clock.steadyNow());
    if (call.canary?.isTest) {
      // Tried once. Cells that have come to wait for it are asked for as others are.
      call.canary.end(error);
      call.canary = null;
      lane.putBack(call);
    } else if (!isOutage) {
      tryAgainOrFail(call, error);
    } else {
      lane.sendAgain(call, "last");
    }
    if (isOutage) lane.failWaiting(error);
  }

  function tryAgainOrFail(call: Call, error: InvError): void {
    const waitMs = retries.failed(call);
    if (waitMs === null) {
      lane.fail(call, error);
      return;
    }
    call.notBeforeMs = clock.steadyNow() + waitMs;
    lane.sendAgain(call, "last");
  }

  /** Where the first answer, or several in a row, are a wrong address, thousands more would be too. */
  function noteUnreadable(error: InvError): void {
    quota.succeeded();
    if (error.code !== "wrong-address") return;
    wrongAddresses += 1;
    if (!hasAnswered || wrongAddresses >= wrongAddressesToFault) raise(error);
  }

  function raise(error: InvError): void {
    fault = error;
    lane.failWaiting(error);
  }

  return {
    operation,
    lane,
    quota,
    circuit,
    inFlight: () => inFlight,
    fault: () => options.stopped() ?? fault,
    left(call, token) {
      call.token = token;
      call.round = circuit.round();
      inFlight += 1;
      quota.sent(call.isEdit);
      lane.left(call, options.stamp());
    },
    ended,
    abandon(call, error) {
      noteEnd();
      lane.fail(call, error);
    },
    raise,
    reset() {
      fault = null;
      wrongAddresses = 0;
      circuit.reset();
    },
  };
}

type Throttled = Extract<Failure, { kind: "throttled" }>;
