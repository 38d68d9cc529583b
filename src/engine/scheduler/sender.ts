/**
 * Sends one operation's calls, each once, and decides what an outcome leads to: settle, send again, queue again or fail. It
 * owns the operation's fault and reports outcomes to the circuit breaker, the quota and the retry budget.
 * Invariant: a call that ended has been settled, queued again or failed, or waits in the batcher to be sent again.
 */
import { isCacheHit, readCompanyUsage } from "../../api/headers";
import type { Failure } from "../../api/outcomes";
import { type Attempt, beginAttempt, createCircuit, createRetries } from "./attempt";
import type { Spending } from "./spending";
import type { Operation } from "../../domain/environment";
import type { InvError } from "../../domain/errors";
import type { Stamp, Call } from "../entry";
import type { ConnectionContext } from "../connection-context";
import type { CallSource } from "../batcher-types";
import type { ServiceAnswer } from "../codec";
import type { Quota } from "./quota";
import type { TokenKeeper } from "./token";

export type Sender = ReturnType<typeof createSender>;

export interface SenderOptions extends ConnectionContext {
  readonly operation: Operation;
  readonly batcher: CallSource;
  readonly quota: Quota;
  readonly spending: Spending;
  /** The stamp for a call that is sent now. */
  readonly stamp: () => Stamp;
  readonly token: Pick<TokenKeeper, "refused">;
  /** Returns why nothing may be sent (offline), or null. */
  readonly stopped: () => InvError | null;
  readonly onTokenRefused: (error: InvError) => void;
  /** Called after the outcome of a call has been handled. */
  readonly onEnded: () => void;
}

/** This many wrong-address responses in a row make it a fault of the operation. */
const wrongAddressesToFault = 3;

export function createSender(options: SenderOptions) {
  const { operation, batcher, clock, quota, spending } = options;
  const circuit = createCircuit(clock);
  const retries = createRetries(clock);
  const inFlight = new Map<Call, Attempt<Failure | ServiceAnswer>>();
  let fault: InvError | null = null;
  let hasAnswered = false;
  let wrongAddresses = 0;
  /** The last token that the team's server didn't know; null once a call is answered. */
  let unknownToken: string | null = null;

  function send(call: Call, token: string): void {
    call.token = token;
    call.round = circuit.round();
    batcher.markSent(call, options.stamp());
    quota.sent(call.isEdit);
    spending.sent();
    options.tracker.sent();
    const attempt = beginAttempt<Failure | ServiceAnswer>(options, {
      build: (signal) => batcher.build(call, token, signal),
      receive(response) {
        const usage = readCompanyUsage(response.headers);
        if (usage !== null) quota.noteUsage(usage);
        if (isCacheHit(response.headers)) spending.tookNothing();
        return batcher.receive(call, response);
      },
    });
    inFlight.set(call, attempt);
    void attempt.outcome.then((outcome) => {
      // It was abandoned before.
      if (!inFlight.delete(call)) return;
      quota.ended();
      ended(call, outcome);
      options.onEnded();
    });
  }

  function ended(call: Call, outcome: Failure | ServiceAnswer): void {
    if (!isFailure(outcome)) {
      options.onAnswered(clock.steadyNow() - sentAtMs(call));
      noteAnswer();
      batcher.settle(call, outcome);
      return;
    }
    switch (outcome.kind) {
      case "token-refused":
        noteRefusedToken(call, outcome.error);
        break;
      case "token-unknown":
        noteUnknownToken(call, outcome.error);
        break;
      case "operation-refused":
        batcher.fail(call, outcome.error);
        raise(outcome.error);
        break;
      case "throttled":
        noteThrottled(call, outcome);
        break;
      case "unavailable":
        noteUnavailable(call, outcome.error);
        break;
      case "unreadable":
        batcher.fail(call, outcome.error);
        noteUnreadable(outcome.error);
    }
  }

  function noteAnswer(): void {
    hasAnswered = true;
    unknownToken = null;
    wrongAddresses = 0;
    circuit.succeeded();
    retries.succeeded();
    quota.succeeded();
  }

  /** If a second token is refused although it is new, the credentials are at fault; an old token had only expired. */
  function noteRefusedToken(call: Call, error: InvError): void {
    const wasNew = options.token.refused(call.token, sentAtMs(call), call.isRenewed);
    const isForGood = call.isRenewed && wasNew;
    call.isRenewed = true;
    batcher.resend(call, "first");
    if (isForGood) options.onTokenRefused(error);
  }

  /**
   * Treats the call as never sent and gets another token at once. Only if the next token isn't known either does the
   * circuit breaker pause, and a server that never knows its own tokens becomes an outage.
   */
  function noteUnknownToken(call: Call, error: InvError): void {
    const { token, round } = call;
    const atMs = sentAtMs(call);
    options.token.refused(token, atMs, false);
    call.firstSentAtMs = null;
    batcher.resend(call, "first");
    const isNext = unknownToken !== null && unknownToken !== token;
    unknownToken = token;
    if (isNext && circuit.failed(round, atMs)) batcher.failWaiting(error);
  }

  function noteThrottled(call: Call, { error, retryAfterMs, rejection }: Throttled): void {
    if (rejection !== null) {
      spending.tookNothing();
      quota.rejectedByServer(call.isEdit, retryAfterMs ?? 0, rejection);
    } else {
      quota.throttled(sentAtMs(call), retryAfterMs);
    }
    // The time the call waits for the quota doesn't count against its total.
    call.firstSentAtMs = null;
    if (call.probe?.isTest) batcher.fail(call, error);
    else batcher.resend(call, "requeue");
  }

  function noteUnavailable(call: Call, error: InvError): void {
    const isOutage = circuit.failed(call.round, sentAtMs(call));
    if (call.probe?.isTest) {
      // A connection test is tried once. Cells that have joined it are requested as others are.
      call.probe.end(error);
      call.probe = null;
      batcher.resend(call, "requeue");
    } else if (isOutage || retries.mayTryAgain(call)) {
      batcher.resend(call, "last");
    } else {
      batcher.fail(call, error);
    }
    if (isOutage) batcher.failWaiting(error);
  }

  /** Raises a fault if the first response, or several in a row, are of a wrong address: thousands more would be, too. */
  function noteUnreadable(error: InvError): void {
    quota.succeeded();
    if (error.code !== "wrong-address") return;
    wrongAddresses += 1;
    if (!hasAnswered || wrongAddresses >= wrongAddressesToFault) raise(error);
  }

  function raise(error: InvError): void {
    fault = error;
    batcher.failWaiting(error);
  }

  return {
    operation,
    batcher,
    quota,
    circuit,
    inFlight,
    /** Why nothing is sent, or null. */
    fault: () => options.stopped() ?? fault,
    send,
    /** Abandons every call in flight. */
    abandon(error: InvError): void {
      for (const [call, attempt] of [...inFlight]) {
        inFlight.delete(call);
        quota.ended();
        batcher.fail(call, error);
        attempt.abort();
      }
    },
    raise,
    /** Clears fault and failures, because a person wants to try again. */
    reset(): void {
      fault = null;
      wrongAddresses = 0;
      circuit.reset();
    },
  };
}

type Throttled = Extract<Failure, { kind: "throttled" }>;

function sentAtMs({ sentAt }: Call): number {
  return sentAt?.atMs ?? 0;
}

function isFailure(outcome: { readonly kind: string }): outcome is Failure {
  return failures.has(outcome.kind);
}

const failures: ReadonlySet<string> = new Set<Failure["kind"]>([
  "token-refused",
  "token-unknown",
  "operation-refused",
  "throttled",
  "unavailable",
  "unreadable",
]);
