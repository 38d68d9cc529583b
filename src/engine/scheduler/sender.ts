/**
 * Sends the calls of an operation. After each attempt it decides whether to settle the call, to fail it, or to put it back into the
 * batcher. It owns the operation's fault, and reports outcomes to the circuit breaker, the quota and the retry budget.
 * Invariant: a call that has ended is settled, failed or put back.
 */
import { isCacheHit, readCompanyUsage } from "../../api/headers";
import { type Failure, isFailure } from "../../api/outcomes";
import { type Attempt, beginAttempt } from "./attempt";
import { createCircuit, createRetries } from "./circuit";
import type { Spending } from "./spending";
import type { Operation } from "../../domain/environment";
import type { InvError } from "../../domain/errors";
import type { Batcher } from "../batcher";
import type { Stamp, Call } from "../entry";
import type { ConnectionContext } from "../connection-context";
import type { Reply } from "../planner-and-codec";
import type { Quota } from "./quota";
import type { AccessToken, TokenKeeper } from "./token";

/** A sender without the types of its queries and answers. */
export type Sender = ReturnType<typeof createSender<unknown, unknown>>;

export interface SenderOptions<Query, T> extends ConnectionContext {
  readonly operation: Operation;
  readonly batcher: Batcher<Query, T>;
  readonly quota: Quota;
  readonly spending: Spending;
  /** Returns the stamp for a call that is sent now. */
  readonly stamp: () => Stamp;
  readonly token: Pick<TokenKeeper, "noteRefusal" | "discard">;
  /** Returns why nothing may be sent (offline), or null. */
  readonly offlineReason: () => InvError | null;
  readonly onTokenRefused: (error: InvError) => void;
  readonly onEnded: () => void;
}

/** The token and time with which a call was sent. */
interface AttemptStart {
  readonly token: AccessToken;
  /** The circuit breaker's failures until then. */
  readonly failuresBefore: number;
  readonly atMs: number;
}

/** After this many wrong-address responses in a row, the operation has a fault. */
const wrongAddressesToFault = 3;

export function createSender<Query, T>(options: SenderOptions<Query, T>) {
  type C = Call<Query, T>;
  const { operation, batcher, clock, quota, spending } = options;
  const circuit = createCircuit(clock);
  const retries = createRetries(clock);
  const inFlight = new Map<C, Attempt<Failure | Reply<Query, T>>>();
  let fault: InvError | null = null;
  let hasAnswered = false;
  let wrongAddresses = 0;
  /** The last token with which a call was answered. */
  let acceptedToken: string | null = null;
  /** The last token that the team's server didn't know; null after it knew one. */
  let unknownToken: string | null = null;

  function send(call: C, token: AccessToken): void {
    const stamp = options.stamp();
    const sent: AttemptStart = { token, failuresBefore: circuit.failuresEver(), atMs: stamp.atMs };
    call.sentAt = stamp;
    quota.sent(call.isEdit);
    spending.sent();
    options.tracker.sent();
    const attempt = beginAttempt<Failure | Reply<Query, T>>(options, {
      build: (signal) => batcher.build(call, token.text, signal),
      receive(response) {
        const usage = readCompanyUsage(response.headers);
        if (usage !== null) quota.noteUsage(usage);
        if (isCacheHit(response.headers)) spending.uncount();
        return batcher.receive(call, response);
      },
    });
    inFlight.set(call, attempt);
    void attempt.outcome.then((outcome) => {
      // The call was abandoned earlier.
      if (!inFlight.delete(call)) return;
      quota.ended();
      if (isFailure(outcome)) noteFailure(call, outcome, sent);
      else noteAnswer(call, outcome, sent);
      options.onEnded();
    });
  }

  function noteAnswer(call: C, reply: Reply<Query, T>, sent: AttemptStart): void {
    options.onAnswered(clock.steadyNow() - sent.atMs);
    hasAnswered = true;
    acceptedToken = sent.token.text;
    unknownToken = null;
    wrongAddresses = 0;
    // The web page came from something in between, such as a guest network.
    if (fault?.code === "wrong-address") fault = null;
    circuit.succeeded();
    retries.succeeded();
    quota.succeeded();
    batcher.endCall(call, reply.read());
  }

  function noteFailure(call: C, failure: Failure, sent: AttemptStart): void {
    switch (failure.kind) {
      case "token-refused":
        noteRefusedToken(call, failure.error, sent);
        break;
      case "token-unknown":
        noteUnknownToken(call, failure.error, sent);
        break;
      case "operation-refused":
        batcher.failCall(call, failure.error);
        raiseFault(failure.error);
        break;
      case "throttled":
        noteThrottled(call, failure, sent);
        break;
      case "unavailable":
        noteUnavailable(call, failure.error, sent);
        break;
      case "unreadable":
        batcher.failCall(call, failure.error);
        noteUnreadable(failure.error);
    }
  }

  /**
   * Sends the call again: with the same token if that is too new to be known everywhere, otherwise with the next one. If that is new
   * and refused too, the credentials are wrong.
   */
  function noteRefusedToken(call: C, error: InvError, { token, atMs }: AttemptStart): void {
    const wasAccepted = acceptedToken === token.text;
    const verdict = options.token.noteRefusal(token, atMs, { ...call, wasAccepted });
    const isForGood = verdict === "new" && call.hadTokenRefused;
    if (verdict === "second-try") call.secondTries += 1;
    else call.hadTokenRefused = true;
    batcher.putBack(call, "first");
    if (isForGood) options.onTokenRefused(error);
  }

  /**
   * Discards the token, so that another is requested. The call wasn't sent to the service, so it leaves again at once. If
   * the server doesn't know the next token either, the circuit breaker counts a failure. So a server that never knows its own
   * tokens becomes an outage.
   */
  function noteUnknownToken(call: C, error: InvError, { token, failuresBefore }: AttemptStart): void {
    options.token.discard(token);
    batcher.putBack(call, "first");
    const isNext = unknownToken !== null && unknownToken !== token.text;
    unknownToken = token.text;
    // Counts from now, so that a slow response adds nothing to the 25 s of an outage.
    if (isNext && circuit.noteFailure(failuresBefore, clock.steadyNow())) batcher.failQueued(error);
  }

  /** Called when the team's server rejected a call but knew its token. Failures because of unknown tokens no longer count. */
  function noteKnownToken(): void {
    if (unknownToken === null) return;
    unknownToken = null;
    circuit.succeeded();
  }

  function noteThrottled(call: C, { retryAfterMs, rejection }: Throttled, { atMs }: AttemptStart): void {
    if (rejection === null) {
      quota.throttled(atMs, retryAfterMs);
    } else {
      noteKnownToken();
      spending.uncount();
      quota.rejectedByServer(call.isEdit, retryAfterMs ?? 0, rejection);
    }
    batcher.putBack(call, "requeue");
  }

  /** In an outage, puts the call back into the batcher, where it fails together with all others. */
  function noteUnavailable(call: C, error: InvError, { failuresBefore, atMs }: AttemptStart): void {
    const isOutage = circuit.noteFailure(failuresBefore, atMs);
    if (isOutage || retries.takeRetry(call)) batcher.putBack(call, "last");
    else batcher.failCall(call, error);
    if (isOutage) batcher.failQueued(error);
  }

  /** Raises a fault if the first response, or three without a success between them, come from a wrong address. */
  function noteUnreadable(error: InvError): void {
    quota.succeeded();
    if (error.code !== "wrong-address") return;
    wrongAddresses += 1;
    if (!hasAnswered || wrongAddresses >= wrongAddressesToFault) raiseFault(error);
  }

  function raiseFault(error: InvError): void {
    fault = error;
    batcher.failQueued(error);
  }

  return {
    operation,
    batcher,
    quota,
    circuit,
    inFlight,
    /** Returns why nothing is sent, or null. */
    fault: () => options.offlineReason() ?? fault,
    send,
    abandon(error: InvError): void {
      for (const [call, attempt] of [...inFlight]) {
        inFlight.delete(call);
        quota.ended();
        batcher.failCall(call, error);
        attempt.abort();
      }
    },
    raiseFault,
    /** Clears fault and failures, because a person wants to try again. */
    reset(): void {
      fault = null;
      wrongAddresses = 0;
      circuit.reset();
    },
  };
}

type Throttled = Extract<Failure, { kind: "throttled" }>;
