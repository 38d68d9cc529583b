/**
 * What sends the calls of one operation: which may go now, and what each outcome of a call leads to. It has
 * the operation's queue, quota, circuit, fault and the calls that are ready to be sent again; slots, the token
 * and the other operation are the scheduler's.
 * Invariant: a call that ended has been settled, put back, failed, or stands in `ready`.
 */
import type { Failure } from "../../api/outcomes";
import type { Operation } from "../../domain/environment";
import type { InvError } from "../../domain/errors";
import { attemptTimeoutMs } from "./attempt";
import { backoffMs } from "./backoff";
import type { Answered, Call, CallQueue } from "./call";
import type { Clock } from "../clock";
import type { Asked } from "../entry";
import type { PartFilled } from "../items/group-queues";
import { createCircuit } from "./circuit";
import type { Quota } from "./quota";
import type { TokenKeeper } from "./token";

/** A call, and how it stood when it left. */
export interface SentCall {
  readonly call: Call;
  readonly sentAtMs: number;
  readonly token: string;
  readonly round: number;
}

export interface Sender {
  readonly operation: Operation;
  readonly quota: Quota;
  /** Why nothing is sent; what asks nevertheless is failed with it. */
  fault(): InvError | null;
  /** Nothing has succeeded since the last failure. */
  isDoubtful(): boolean;
  /** The next call that may go now, or null. */
  next(kind: "edit" | PartFilled): Call | null;
  sent(call: Call, token: string): SentCall;
  /** Returns the reason when the token was refused for good. */
  ended(sentCall: SentCall, outcome: Failure | Answered): InvError | null;
  /** A call under way is given up. */
  abandon(sentCall: SentCall, error: InvError): void;
  /** Puts a call at the head of those that go next. */
  insert(call: Call): void;
  raise(error: InvError): void;
  /** Fails all that waits. */
  failAll(error: InvError): void;
  forgive(): void;
  /** When something that could not go at this time may go; Infinity when only an event can change it. */
  opensAtMs(nowMs: number): number;
  isWaiting(): boolean;
  callsWaiting(): number;
}

export interface SenderOptions {
  readonly operation: Operation;
  readonly queue: CallQueue;
  readonly clock: Clock;
  readonly quota: Quota;
  /** What a call that leaves now is told. */
  readonly stamp: () => Asked;
  readonly token: Pick<TokenKeeper, "refused">;
  /** A reason from outside for which nothing is sent, as long as it gives one. */
  readonly stopped: () => InvError | null;
}

const attemptsOfACall = 4;
/** From the first sending; the pause and the attempt that would pass it are not begun. */
const totalMs = 60_000;
/** This many wrong addresses without an answer between are the address's fault, not one path's. */
const wrongAddressesToFault = 3;

export function createSender(options: SenderOptions): Sender {
  const { operation, queue, clock, quota } = options;
  const circuit = createCircuit(clock);
  const ready: Call[] = [];
  let inFlight = 0;
  let fault: InvError | null = null;
  let hasAnswered = false;
  let wrongAddresses = 0;

  function next(kind: "edit" | PartFilled): Call | null {
    const isEdit = kind === "edit";
    if (faultNow() !== null || !circuit.allows(inFlight) || !quota.allows(isEdit)) return null;
    return isEdit ? (takeReady(true) ?? queue.takeEdit()) : (takeReady(false) ?? queue.take(kind));
  }

  function faultNow(): InvError | null {
    return options.stopped() ?? fault;
  }

  function takeReady(onlyEdits: boolean): Call | null {
    const nowMs = clock.now();
    const index = ready.findIndex((call) => call.retry.notBeforeMs <= nowMs && (call.isEdit || !onlyEdits));
    return index < 0 ? null : (ready.splice(index, 1)[0] ?? null);
  }

  function sent(call: Call, token: string): SentCall {
    const sentAtMs = clock.now();
    call.retry.firstSentAtMs ??= sentAtMs;
    call.sent(options.stamp());
    inFlight += 1;
    quota.sent();
    return { call, sentAtMs, token, round: circuit.round() };
  }

  function noteEnd(): void {
    inFlight -= 1;
    quota.ended();
  }

  function ended(sentCall: SentCall, outcome: Failure | Answered): InvError | null {
    noteEnd();
    const { call } = sentCall;
    switch (outcome.kind) {
      case "answered":
        noteAnswer();
        sendNext(outcome.settle());
        return null;
      case "token-refused":
        return noteRefusedToken(sentCall, outcome.error);
      case "operation-refused":
        sendNext(call);
        raise(outcome.error);
        return null;
      case "throttled":
        if (outcome.isTurnedAway) quota.turnedAway(call.isEdit, outcome.retryAfterMs ?? 0);
        else quota.throttled(sentCall.sentAtMs, outcome.retryAfterMs);
        // As if never sent: the wait for the quota is not the call's.
        call.retry.firstSentAtMs = null;
        sendNext(call.putBack());
        return null;
      case "unavailable":
        tryAgainOrFail(sentCall, outcome.error);
        return null;
      case "unreadable":
        call.fail(outcome.error);
        noteUnreadable(outcome.error);
        return null;
    }
  }

  /** A second token that was refused though it was new is the credentials' fault; an old one was too old. */
  function noteRefusedToken({ call, token, sentAtMs }: SentCall, error: InvError): InvError | null {
    const { retry } = call;
    const wasNew = options.token.refused(token, sentAtMs, retry.isRenewed);
    sendNext(call);
    if (retry.isRenewed && wasNew) return error;
    retry.isRenewed = true;
    return null;
  }

  function noteAnswer(): void {
    hasAnswered = true;
    wrongAddresses = 0;
    circuit.succeeded();
    quota.succeeded();
  }

  function sendNext(call: Call | null): void {
    const waiting = call?.waits() ?? null;
    if (waiting !== null) ready.unshift(waiting);
  }

  function sendLater(call: Call): void {
    const waiting = call.waits();
    if (waiting !== null) ready.push(waiting);
  }

  /** Where the first answer, or several in a row, are a wrong address, thousands more would be too. */
  function noteUnreadable(error: InvError): void {
    quota.succeeded();
    if (error.code !== "wrong-address") return;
    wrongAddresses += 1;
    if (!hasAnswered || wrongAddresses >= wrongAddressesToFault) raise(error);
  }

  function tryAgainOrFail(sentCall: SentCall, error: InvError): void {
    const { call } = sentCall;
    const { retry } = call;
    retry.attempts += 1;
    if (circuit.failed(sentCall)) {
      sendLater(call);
      failAll(error);
      return;
    }
    const waitMs = backoffMs(retry.attempts, clock.random());
    const endsAtMs = (retry.firstSentAtMs ?? clock.now()) + totalMs;
    const mayTry =
      retry.attempts < attemptsOfACall &&
      clock.now() + waitMs + attemptTimeoutMs <= endsAtMs &&
      circuit.takeRetry();
    if (!mayTry) {
      call.fail(error);
      return;
    }
    retry.notBeforeMs = clock.now() + waitMs;
    sendLater(call);
  }

  function raise(error: InvError): void {
    fault = error;
    failAll(error);
  }

  function failAll(error: InvError): void {
    for (const call of ready.splice(0)) call.fail(error);
    queue.failAll(error);
  }

  function opensAtMs(nowMs: number): number {
    if (faultNow() !== null) return Infinity;
    const isQueued = queue.isWaiting();
    if (!isQueued && ready.length === 0) return Infinity;
    const readyAtMs = isQueued ? 0 : Math.min(...ready.map((call) => call.retry.notBeforeMs));
    // An edit may wait for less than the others do; with none waiting the next look finds the others' time.
    const editAtMs = quota.opensAtMs(true, nowMs);
    const quotaAtMs = editAtMs > nowMs ? editAtMs : quota.opensAtMs(false, nowMs);
    return Math.max(readyAtMs, circuit.opensAtMs(), quotaAtMs);
  }

  return {
    operation,
    quota,
    fault: faultNow,
    isDoubtful: circuit.isDoubtful,
    next,
    sent,
    ended,
    abandon({ call }, error) {
      noteEnd();
      call.fail(error);
    },
    insert: sendNext,
    raise,
    failAll,
    forgive() {
      fault = null;
      wrongAddresses = 0;
      circuit.forgive();
    },
    opensAtMs,
    isWaiting: () => ready.length > 0 || queue.isWaiting(),
    callsWaiting: () => ready.length + queue.callsWaiting(),
  };
}
