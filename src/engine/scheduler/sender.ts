/**
 * One operation's calls, from the moment they leave: each is sent once, and what its outcome leads to is decided here:
 * settled, sent again, put back or failed; and what it says of the operation. It holds the operation's fault and tells its
 * circuit, its quota and its retries, of which each owns its own rule. Which call leaves when is `admission`'s.
 * Invariant: a call that ended has been settled, put back or failed, or waits in the lane to be sent again.
 */
import { isCacheHit, readCompanyUsage } from "../../api/headers";
import type { Failure } from "../../api/outcomes";
import { type Attempt, beginAttempt, createCircuit, createRetries } from "./attempt";
import type { Spending } from "./spending";
import type { Operation } from "../../domain/environment";
import type { InvError } from "../../domain/errors";
import type { Stamp, Call } from "../entry";
import type { ConnectionContext } from "../connection-context";
import type { CallSource } from "./call-source";
import type { ServiceAnswer } from "../codec";
import type { Quota } from "./quota";
import type { TokenKeeper } from "./token";

export type Sender = ReturnType<typeof createSender>;

export interface SenderOptions extends ConnectionContext {
  readonly operation: Operation;
  readonly batcher: CallSource;
  readonly quota: Quota;
  readonly spending: Spending;
  /** What a call that leaves now is told. */
  readonly stamp: () => Stamp;
  readonly token: Pick<TokenKeeper, "refused">;
  /** A reason from outside for which nothing is sent, as long as it gives one. */
  readonly stopped: () => InvError | null;
  readonly onTokenRefused: (error: InvError) => void;
  /** One has ended, and has been dealt with. */
  readonly onEnded: () => void;
}

/** This many wrong addresses without an answer between are the address's fault, not one path's. */
const wrongAddressesToFault = 3;

export function createSender(options: SenderOptions) {
  const { operation, batcher, clock, quota, spending } = options;
  const circuit = createCircuit(clock);
  const retries = createRetries(clock);
  const inFlight = new Map<Call, Attempt<Failure | ServiceAnswer>>();
  let fault: InvError | null = null;
  let hasAnswered = false;
  let wrongAddresses = 0;
  /** The last token that the team's server did not know, until a call is answered. */
  let unknownToken: string | null = null;

  /** It leaves now, with this token. */
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
      // It was given up before.
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

  /** A second token that was refused though it was new is the credentials' fault; an old one was too old. */
  function noteRefusedToken(call: Call, error: InvError): void {
    const wasNew = options.token.refused(call.token, sentAtMs(call), call.isRenewed);
    const isForGood = call.isRenewed && wasNew;
    call.isRenewed = true;
    batcher.resend(call, "first");
    if (isForGood) options.onTokenRefused(error);
  }

  /**
   * As if never sent: another token is got at once. Only where the next is not known either, the circuit makes
   * pauses, and ends a server that never knows what it gave as an outage.
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
    // As if never sent: the wait for the quota is not the call's.
    call.firstSentAtMs = null;
    if (call.probe?.isTest) batcher.fail(call, error);
    else batcher.resend(call, "anew");
  }

  function noteUnavailable(call: Call, error: InvError): void {
    const isOutage = circuit.failed(call.round, sentAtMs(call));
    if (call.probe?.isTest) {
      // Tried once. Cells that have come to wait for it are asked for as others are.
      call.probe.end(error);
      call.probe = null;
      batcher.resend(call, "anew");
    } else if (isOutage || retries.mayTryAgain(call)) {
      batcher.resend(call, "last");
    } else {
      batcher.fail(call, error);
    }
    if (isOutage) batcher.failWaiting(error);
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
    batcher.failWaiting(error);
  }

  return {
    operation,
    batcher,
    quota,
    circuit,
    inFlight,
    /** Why nothing is sent; what asks nevertheless is failed with it. */
    fault: () => options.stopped() ?? fault,
    send,
    /** Gives every call under way up. */
    abandon(error: InvError): void {
      for (const [call, attempt] of [...inFlight]) {
        inFlight.delete(call);
        quota.ended();
        batcher.fail(call, error);
        attempt.abort();
      }
    },
    raise,
    /** Somebody wants to try again: forgets fault and failures. */
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
