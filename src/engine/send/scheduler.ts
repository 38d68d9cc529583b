/**
 * When calls leave: the send slots, the token at the moment of leaving, and the rule that makes calls as
 * full as they can be. What a call carries and what its answer means is left to the queues and senders.
 *
 * The rule. Requests join queues and nothing is sent in their own turn of the event loop; the decision is
 * taken in the next turn and again at every answer, so it needs no timer (hidden panes slow timers down).
 * - A call is made up only when a slot, the quota and the token are free: it takes all that waits by then.
 * - Full calls, and edits, go whenever those are free.
 * - While cells keep arriving, at most one part-filled call is under way: the first value comes after one
 *   latency, and as its store's later cells cost at most one call more, a sheet that takes a second to
 *   arrive costs about a dozen calls more than the fewest, whatever its size.
 * - While a refresh is being queued, none: all its items are known within some turns.
 * - Once cells have stopped arriving, as many as fit. A timer stands by for that moment only.
 */
import type { CallOptions } from "../../api/call-options";
import { costsNothing, readCompanyUse } from "../../api/company";
import type { Failure } from "../../api/outcomes";
import type { InvError } from "../../domain/errors";
import type { Arrivals } from "./arrivals";
import { type Attempt, type AttemptTools, beginAttempt } from "./attempt";
import type { Answered, Call } from "./call";
import type { TimerId } from "../clock";
import type { PartFilled } from "../items/group-queues";
import type { SentCall, Sender } from "./sender";
import type { TokenKeeper } from "./token";

export interface Scheduler {
  /** Something joined a queue: decide in the next turn. */
  wake(): void;
  decide(): void;
  /** Gives up every call under way and fails all that waits. */
  dropAll(error: InvError): void;
  close(): void;
  inFlight(): number;
}

export interface SchedulerOptions extends AttemptTools {
  readonly senders: readonly Sender[];
  readonly token: TokenKeeper;
  readonly consumerId: string;
  readonly page: string | null;
  readonly connections: number;
  readonly arrivals: Arrivals;
  /** A refresh or a burst is being queued: what fills part of a call may fill it yet. */
  readonly isQueueing: () => boolean;
  /** The turn's requests are all in. */
  readonly onTurn: (isEdit: boolean) => void;
  readonly onSent: () => void;
  /** A call was answered after so long. */
  readonly onAnswered: (latencyMs: number) => void;
  readonly onTokenRefused: (error: InvError) => void;
  readonly onChange: () => void;
}

interface CallUnderWay {
  readonly sender: Sender;
  readonly sentCall: SentCall;
  readonly attempt: Attempt<Failure | Answered>;
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { clock, senders, token, arrivals } = options;
  const callsUnderWay = new Set<CallUnderWay>();
  let partFilledInFlight = 0;
  let isTurnBegun = false;
  let isClosed = false;
  let firstSender = 0;
  let timer: TimerId = null;
  let timerAtMs = Infinity;

  function wake(): void {
    if (isTurnBegun) return;
    isTurnBegun = true;
    clock.nextTurn(() => {
      isTurnBegun = false;
      options.onTurn(arrivals.endTurn());
      decide();
    });
  }

  function decide(): void {
    if (isClosed) return;
    const sinceMs = clock.now();
    failWhatFaultsStop();
    while (callsUnderWay.size < options.connections && senders.some((sender) => sender.isWaiting())) {
      const accessToken = token.current();
      if (accessToken === null || !sendOne(accessToken)) break;
    }
    setTimer(sinceMs);
    options.onChange();
  }

  /** Requests that came after the fault; they join a queue first so that they settle like all others. */
  function failWhatFaultsStop(): void {
    for (const sender of senders) {
      const fault = sender.fault();
      if (fault !== null && sender.isWaiting()) sender.failAll(fault);
    }
  }

  /** Edits before all else; the operations take turns, so that neither waits for the other's backlog. */
  function sendOne(accessToken: string): boolean {
    const partFilled = partFilledThatMayGo();
    firstSender = (firstSender + 1) % senders.length;
    for (const kind of ["edit", partFilled] as const) {
      for (let index = 0; index < senders.length; index += 1) {
        const sender = senders[(firstSender + index) % senders.length];
        const call = sender?.next(kind) ?? null;
        if (sender !== undefined && call !== null) {
          send(sender, call, accessToken);
          return true;
        }
      }
    }
    return false;
  }

  function partFilledThatMayGo(): PartFilled {
    if (options.isQueueing()) return "none";
    if (!arrivals.isArriving()) return "all";
    return partFilledInFlight === 0 ? "after-full" : "none";
  }

  function send(sender: Sender, call: Call, accessToken: string): void {
    const sentCall = sender.sent(call, accessToken);
    if (call.isPartFilled) partFilledInFlight += 1;
    options.onSent();
    const attempt = beginAttempt<Failure | Answered>(options, {
      build: (signal) => call.build(callOptions(call, accessToken, signal)),
      read(response) {
        const use = readCompanyUse(response.headers);
        if (use !== null) sender.quota.told(use);
        if (costsNothing(response.headers)) sender.quota.wasFree();
        return call.read(response);
      },
    });
    const callUnderWay: CallUnderWay = { sender, sentCall, attempt };
    callsUnderWay.add(callUnderWay);
    void attempt.outcome.then((outcome) => end(callUnderWay, outcome));
  }

  function callOptions({ isEdit }: Call, accessToken: string, signal: AbortSignal): CallOptions {
    const { consumerId, page } = options;
    const company = page === null ? null : { page, isEdit, maxAgeMs: 0 };
    return { consumerId, accessToken, signal, company };
  }

  function end(callUnderWay: CallUnderWay, outcome: Failure | Answered): void {
    if (!remove(callUnderWay)) return;
    const { sender, sentCall } = callUnderWay;
    if (outcome.kind === "answered") options.onAnswered(clock.now() - sentCall.sentAtMs);
    const refused = sender.ended(sentCall, outcome);
    if (refused !== null) options.onTokenRefused(refused);
    decide();
  }

  /** False when the call has been given up before. */
  function remove(callUnderWay: CallUnderWay): boolean {
    if (!callsUnderWay.delete(callUnderWay)) return false;
    if (callUnderWay.sentCall.call.isPartFilled) partFilledInFlight -= 1;
    return true;
  }

  /**
   * By the time at which the decision began, not by now: what has opened since may have been looked at just
   * before, and if the timer took it for open already, nobody would come back to it.
   */
  function setTimer(sinceMs: number): void {
    const atMs = opensAtMs(sinceMs);
    if (atMs >= timerAtMs) return;
    clock.clearTimeout(timer);
    timerAtMs = atMs;
    timer = clock.setTimeout(
      () => {
        timerAtMs = Infinity;
        decide();
      },
      Math.max(0, atMs - clock.now()),
    );
  }

  /** The next moment after this one that may let a call go without an answer before it; Infinity for none. */
  function opensAtMs(sinceMs: number): number {
    const waiting = senders.filter((sender) => sender.isWaiting());
    if (waiting.length === 0 || callsUnderWay.size >= options.connections) return Infinity;
    const tokenAtMs = token.current() === null ? token.opensAtMs() : 0;
    const quietAtMs = arrivals.isArriving() ? clock.now() + arrivals.quietInMs() : Infinity;
    const atMs = waiting.map((sender) => Math.max(sender.opensAtMs(sinceMs), tokenAtMs));
    return Math.min(...atMs.filter((ms) => ms > sinceMs), quietAtMs);
  }

  function dropAll(error: InvError): void {
    for (const callUnderWay of [...callsUnderWay]) {
      remove(callUnderWay);
      callUnderWay.sender.abandon(callUnderWay.sentCall, error);
      callUnderWay.attempt.abort();
    }
    for (const sender of senders) sender.failAll(error);
    options.onChange();
  }

  return {
    wake,
    decide,
    dropAll,
    close() {
      isClosed = true;
      clock.clearTimeout(timer);
    },
    inFlight: () => callsUnderWay.size,
  };
}
