/**
 * Sends the calls of an operation. When an attempt has ended, it applies what the outcome means (`consequences.ts`). It owns what
 * belongs to one operation: its circuit breaker, its retry budget and its fault.
 * Invariant: a call that has ended is settled, failed or put back.
 */
import { isCacheHit, readCompanyUsage } from "../../api/headers";
import { type Failure, isFailure } from "../../api/outcomes";
import { type Attempt, beginAttempt } from "./attempt";
import { type CallStart, createCircuit, createRetries } from "./circuit";
import { type Consequences, consequences } from "./consequences";
import type { Spending } from "./spending";
import type { Operation } from "../../domain/environment";
import type { InvError } from "../../domain/errors";
import type { Query as AnyQuery } from "../../domain/records";
import type { Batcher } from "../batcher";
import type { Stamp, Call } from "../entry";
import type { CallKind } from "../queue";
import type { ConnectionContext } from "../connection-context";
import type { Reply } from "../planner-and-codec";
import type { Quota } from "./quota";
import type { AccessToken, TokenKeeper } from "./token";

/** The sender of an operation, without the types of its queries and answers. */
export type Sender = ReturnType<typeof createSender>;

/** A call in flight. */
export interface SentCall {
  /** Resolves when the attempt has ended. Then call `settle` in the same turn. */
  readonly ended: Promise<unknown>;
  /** Settles the call, fails it or puts it back. Returns why the credentials are refused for good, or null. */
  settle(): InvError | null;
}

export interface SenderOptions<Query extends AnyQuery, T> extends ConnectionContext {
  readonly operation: Operation;
  readonly batcher: Batcher<Query, T>;
  readonly quota: Quota;
  readonly spending: Spending;
  /** Returns the stamp for a call that is sent now. */
  readonly stamp: () => Stamp;
  readonly token: Pick<TokenKeeper, "noteRefusal" | "discard">;
}

interface TokenCallStart extends CallStart {
  /** The token with which the call was sent. */
  readonly token: AccessToken;
}

/** After this many wrong-address responses in a row, the operation has a fault. */
const wrongAddressesToFault = 3;

export function createSender<Query extends AnyQuery, T>(options: SenderOptions<Query, T>) {
  type C = Call<Query, T>;
  type Outcome = Failure | Reply<Query, T>;
  interface Ended {
    readonly call: C;
    readonly outcome: Outcome;
    readonly sent: TokenCallStart;
  }
  const { operation, batcher, clock, quota, spending } = options;
  const circuit = createCircuit(clock);
  const retries = createRetries(clock);
  const inFlight = new Map<C, Attempt<Outcome>>();
  let fault: InvError | null = null;
  let hasAnswered = false;
  let wrongAddresses = 0;
  /** The last token with which a call was answered. */
  let acceptedToken: string | null = null;
  /** The last token that the team's server didn't know; null after it knew one. */
  let unknownToken: string | null = null;

  /** Sends the next call of this kind; returns null if there is none. */
  function sendNext(kind: CallKind, token: AccessToken): SentCall | null {
    const call = batcher.take(kind);
    return call === null ? null : send(call, token);
  }

  function send(call: C, token: AccessToken): SentCall {
    const stamp = options.stamp();
    const sent: TokenCallStart = { ...circuit.callStart(), token };
    let isFree = false;
    call.sentAt = stamp;
    quota.sent(call.isEdit);
    spending.sent();
    options.tracker.sent();
    const attempt = beginAttempt<Outcome>(options, {
      build: (signal) => batcher.build(call, token.text, signal),
      receive(response, secrets) {
        const usage = readCompanyUsage(response.headers);
        if (usage !== null) quota.noteUsage(usage);
        isFree = isCacheHit(response.headers);
        return batcher.receive(call, response, secrets);
      },
    });
    inFlight.set(call, attempt);
    let outcome: Outcome | null = null;
    return {
      ended: attempt.outcome.then((received) => (outcome = received)),
      settle() {
        // An abandoned call has failed already.
        if (outcome === null || !inFlight.delete(call)) return null;
        quota.ended(call.isEdit);
        if (outcome.kind === "answered") options.onAnswered(clock.steadyNow() - sent.atMs);
        const row = consequences[kindOf(outcome)];
        if (isFree || row.spending === "free") spending.uncount();
        return apply(row, { call, outcome, sent });
      },
    };
  }

  /** Applies what the outcome means, column by column. The call comes last: its cells react at once. */
  function apply(row: Consequences, ended: Ended): InvError | null {
    const { outcome } = ended;
    const error = isFailure(outcome) ? outcome.error : null;
    const isOutage = applyToCircuit(row, ended);
    applyToPause(row, ended);
    const isRefusedForGood = applyToToken(row, ended);
    applyToCall(row, ended, isOutage);
    applyToFault(row, error);
    if (isOutage && error !== null) batcher.failQueued(error);
    return isRefusedForGood ? error : null;
  }

  /** Returns whether this is an outage. */
  function applyToCircuit({ circuit: effect }: Consequences, { sent }: Ended): boolean {
    const isRepeated = unknownToken !== null && unknownToken !== sent.token.text;
    const wasUnknown = unknownToken !== null;
    if (effect !== "none") unknownToken = effect === "repeated-failure" ? sent.token.text : null;
    switch (effect) {
      case "success":
        circuit.succeeded();
        retries.succeeded();
        return false;
      case "failure":
        return circuit.noteFailure(sent);
      case "repeated-failure":
        // A server that never knows its own tokens becomes an outage. Counts from now, so that a slow response adds nothing to
        // the 25 s of an outage.
        return isRepeated && circuit.noteFailure({ ...sent, atMs: clock.steadyNow() });
      case "known":
        // The server knows this token, so failures because of unknown tokens no longer count.
        if (wasUnknown) circuit.succeeded();
        return false;
      case "none":
        return false;
    }
  }

  function applyToPause({ pause }: Consequences, { call, outcome, sent }: Ended): void {
    if (pause === "ends") quota.succeeded(call.isEdit);
    if (outcome.kind !== "throttled") return;
    const { retryAfterMs, rejection } = outcome;
    if (pause === "throttle") quota.throttled(sent.atMs, retryAfterMs);
    if (pause === "not-before" && rejection !== null) {
      quota.rejectedByServer(call.isEdit, retryAfterMs ?? 0, rejection);
    }
  }

  /**
   * Returns whether the credentials are refused for good. A refused token has probably just expired, or is too new to be known
   * everywhere. If the next one is new and refused too, the credentials are wrong.
   */
  function applyToToken({ token: effect }: Consequences, { call, sent }: Ended): boolean {
    const { token, atMs } = sent;
    if (effect === "accepted") acceptedToken = token.text;
    if (effect === "discarded") options.token.discard(token);
    if (effect !== "refused") return false;
    const wasAccepted = acceptedToken === token.text;
    const verdict = options.token.noteRefusal(token, atMs, { ...call, wasAccepted });
    const isForGood = verdict === "new" && call.hadTokenRefused;
    if (verdict === "second-try") call.secondTries += 1;
    else call.hadTokenRefused = true;
    return isForGood;
  }

  function applyToCall({ call: effect }: Consequences, { call, outcome }: Ended, isOutage: boolean): void {
    if (!isFailure(outcome)) {
      batcher.endCall(call, outcome.read());
      return;
    }
    // In an outage the call is put back, and fails together with all others.
    const mayRetry = effect !== "last" || isOutage || retries.takeRetry(call);
    if (effect === "settle" || effect === "fail" || !mayRetry) batcher.failCall(call, outcome.error);
    else batcher.putBack(call, effect);
  }

  /** A wrong address is a fault if the first response, or three without a success between them, come from one. */
  function applyToFault({ fault: effect }: Consequences, error: InvError | null): void {
    if (effect === "lift") {
      hasAnswered = true;
      wrongAddresses = 0;
      // The web page came from something in between, such as a guest network.
      if (fault?.code === "wrong-address") fault = null;
    }
    if (error === null) return;
    const isAddress = effect === "raise-if-address" && error.code === "wrong-address";
    if (isAddress) wrongAddresses += 1;
    const isSure = !hasAnswered || wrongAddresses >= wrongAddressesToFault;
    if (effect === "raise" || (isAddress && isSure)) raiseFault(error);
  }

  function raiseFault(error: InvError): void {
    fault = error;
    batcher.failQueued(error);
  }

  return {
    operation,
    quota,
    /** Returns why nothing is sent, or null. */
    fault: () => fault,
    hasQueued: batcher.hasQueued,
    failQueued: batcher.failQueued,
    inFlight: () => inFlight.size,
    hasPartFilledInFlight: () => [...inFlight.keys()].some((call) => call.isPartFilled),
    isDoubtful: circuit.isDoubtful,
    /** Returns when a call of this kind may leave, `nowMs` at the earliest; Infinity if none waits, or if an answer must come first. */
    opensAtMs(kind: CallKind, nowMs: number): number {
      if (fault !== null) return Infinity;
      const readyAtMs = batcher.readyAtMs(kind);
      if (readyAtMs === Infinity) return Infinity;
      const circuitAtMs = circuit.opensAtMs(inFlight.size);
      return Math.max(nowMs, readyAtMs, circuitAtMs, quota.opensAtMs(kind === "edit", nowMs));
    },
    sendNext,
    abandon(error: InvError): void {
      for (const [call, attempt] of [...inFlight]) {
        inFlight.delete(call);
        quota.ended(call.isEdit);
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

function kindOf(outcome: { readonly kind: "answered" } | Failure): keyof typeof consequences {
  return outcome.kind === "throttled" && outcome.rejection !== null ? "rejected" : outcome.kind;
}
