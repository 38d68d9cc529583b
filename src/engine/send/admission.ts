/**
 * When calls leave. Requests wait in lanes and nothing is sent in their own turn of the event loop; the decision is
 * taken in the next turn and again at every answer, so it needs no timer (hidden panes slow timers down); a timer stands
 * by for what opens with time alone. What may hold a call back stands in `sendNext` and `opensAtMs`, from top to bottom,
 * and each has one owner:
 *
 * - slots: as many calls under way as there are connections, and no call is made up before one is free, so that it
 *   takes all that waits by then;
 * - arrivals: full calls and edits go at once. While cells keep arriving, at most one part-filled call is under way: the
 *   first value comes after one latency, and as its store's later cells cost at most one call more, a sheet that takes
 *   a second to arrive costs about a dozen calls more than the fewest, whatever its size. While a refresh is being
 *   queued, none: all its items are known within some turns. Once cells have stopped arriving, as many as fit;
 * - token, read at the moment of leaving;
 * - fault, which fails what waits, and circuit: a canary passes both;
 * - quota and spending of the operation.
 */
import { type CallOptions, isCacheHit, readCompanyUsage } from "../../api/headers";
import type { Failure } from "../../api/outcomes";
import type { InvError } from "../../domain/errors";
import type { Call } from "../call";
import type { TimerId } from "../clock";
import type { PartFilled } from "../group-queues";
import type { CallKind, ServiceAnswer } from "../lane-types";
import { isFailure } from "../wire";
import type { Arrivals } from "./arrivals";
import { type Attempt, type AttemptTools, beginAttempt } from "./attempt";
import type { Sender } from "./sender";
import type { Spending } from "./spending";
import type { TokenKeeper } from "./token";

export interface Admission {
  /** Something waits: decide in the next turn. */
  wake(): void;
  /** Sends what may go now. */
  decide(): void;
  /** Gives up every call under way and fails all that waits. */
  dropAll(error: InvError): void;
  close(): void;
  inFlight(): number;
}

export interface AdmissionOptions extends AttemptTools {
  readonly senders: readonly Sender[];
  readonly token: TokenKeeper;
  readonly spending: Spending;
  readonly arrivals: Arrivals;
  /** Null where the team's server knows it. */
  readonly consumerId: string | null;
  /** A team's server stands between, which shares answers. */
  readonly isBehindServer: boolean;
  readonly connections: number;
  /** A refresh or a burst is being queued: what fills part of a call may fill it yet. */
  readonly isQueueing: () => boolean;
  readonly onSent: () => void;
  /** A call was answered after so long. */
  readonly onAnswered: (latencyMs: number) => void;
  readonly onTokenRefused: (error: InvError) => void;
  readonly onChange: () => void;
}

interface UnderWay {
  readonly sender: Sender;
  readonly attempt: Attempt<Failure | ServiceAnswer>;
}

export function createAdmission(options: AdmissionOptions): Admission {
  const { clock, senders, token, spending, arrivals } = options;
  const underWay = new Map<Call, UnderWay>();
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
      const isEdit = arrivals.endTurn();
      for (const { lane } of senders) lane.endTurn(isEdit);
      decide();
    });
  }

  function decide(): void {
    if (isClosed) return;
    // One moment for all of it: what opens meanwhile is the timer's.
    const nowMs = clock.steadyNow();
    failWhatFaultsStop();
    while (sendNext(nowMs));
    spending.note(isWaiting() || underWay.size > 0);
    setTimer(nowMs);
    options.onChange();
  }

  /** Requests that came after the fault; they wait first, so that they end like all others. */
  function failWhatFaultsStop(): void {
    for (const sender of senders) {
      const fault = sender.fault();
      if (fault !== null && sender.lane.isWaiting()) sender.lane.failWaiting(fault, "canaries");
    }
  }

  /** Canaries and edits before all else; the operations take turns, so that neither waits for the other's backlog. */
  function sendNext(nowMs: number): boolean {
    if (underWay.size >= options.connections || !isWaiting()) return false;
    token.renewIfDue();
    const accessToken = token.peek();
    if (accessToken === null) return false;
    firstSender = (firstSender + 1) % senders.length;
    const inTurn = [...senders.slice(firstSender), ...senders.slice(0, firstSender)];
    for (const kind of ["canary", "edit", partFilledThatMayGo()] as const) {
      for (const sender of inTurn) {
        const call = opensAtMs(sender, kind, nowMs) <= nowMs ? sender.lane.take(kind) : null;
        if (call === null) continue;
        send(sender, call, accessToken);
        return true;
      }
    }
    return false;
  }

  function partFilledThatMayGo(): PartFilled {
    if (options.isQueueing()) return "none";
    if (!arrivals.isArriving()) return "all";
    return [...underWay.keys()].some((call) => call.isPartFilled) ? "none" : "after-full";
  }

  /** The first moment from this one on at which one may go without an answer before it; Infinity for none. */
  function opensAtMs(sender: Sender, kind: CallKind, nowMs: number): number {
    const { lane, fault, circuit, quota, inFlight } = sender;
    const isCanary = kind === "canary";
    if (fault() !== null && !isCanary) return Infinity;
    const isAhead = isCanary || kind === "edit";
    const atMs = Math.max(
      lane.readyAtMs(kind),
      token.peek() === null ? token.opensAtMs() : nowMs,
      isCanary ? nowMs : circuit.opensAtMs(inFlight()),
      quota.opensAtMs(isAhead, nowMs),
    );
    // A person is asked only about what nothing else holds.
    return isAhead || atMs > nowMs ? atMs : spending.opensAtMs(quota, nowMs);
  }

  function send(sender: Sender, call: Call, accessToken: string): void {
    const { lane, quota } = sender;
    sender.left(call, accessToken);
    spending.sent();
    options.onSent();
    const attempt = beginAttempt<Failure | ServiceAnswer>(options, {
      build: (signal) => lane.build(call, callOptions(call, accessToken, signal)),
      receive(response) {
        const usage = readCompanyUsage(response.headers);
        if (usage !== null) quota.noteUsage(usage);
        if (isCacheHit(response.headers)) spending.tookNothing();
        return lane.receive(call, response);
      },
    });
    underWay.set(call, { sender, attempt });
    void attempt.outcome.then((outcome) => end(call, outcome));
  }

  function callOptions({ isEdit }: Call, accessToken: string, signal: AbortSignal): CallOptions {
    const { consumerId, isBehindServer } = options;
    const company = isBehindServer ? { isEdit, maxAgeMs: 0 } : null;
    return { consumerId, accessToken, signal, company };
  }

  function end(call: Call, outcome: Failure | ServiceAnswer): void {
    const known = underWay.get(call);
    // It was given up before.
    if (known === undefined) return;
    underWay.delete(call);
    if (!isFailure(outcome)) options.onAnswered(clock.steadyNow() - (call.asked?.atMs ?? 0));
    else if (outcome.kind === "throttled" && outcome.isRejectedByServer) spending.tookNothing();
    const refused = known.sender.ended(call, outcome);
    if (refused !== null) options.onTokenRefused(refused);
    decide();
  }

  function setTimer(nowMs: number): void {
    const atMs = nextOpeningMs(nowMs);
    if (atMs >= timerAtMs) return;
    clock.clearTimeout(timer);
    timerAtMs = atMs;
    timer = clock.setTimeout(
      () => {
        timerAtMs = Infinity;
        decide();
      },
      Math.max(0, atMs - clock.steadyNow()),
    );
  }

  function nextOpeningMs(nowMs: number): number {
    if (!isWaiting() || underWay.size >= options.connections) return Infinity;
    const quietAtMs = arrivals.isArriving() ? clock.steadyNow() + arrivals.quietInMs() : Infinity;
    const waiting = senders.filter(({ lane }) => lane.isWaiting());
    const openings = waiting.flatMap((sender) =>
      (["canary", "edit", "all"] as const).map((kind) => opensAtMs(sender, kind, nowMs)),
    );
    return Math.min(...openings.filter((atMs) => atMs > nowMs), quietAtMs);
  }

  function isWaiting(): boolean {
    return senders.some(({ lane }) => lane.isWaiting());
  }

  function dropAll(error: InvError): void {
    for (const [call, { sender, attempt }] of [...underWay]) {
      underWay.delete(call);
      sender.abandon(call, error);
      attempt.abort();
    }
    for (const { lane } of senders) lane.failWaiting(error);
    spending.note(false);
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
    inFlight: () => underWay.size,
  };
}
