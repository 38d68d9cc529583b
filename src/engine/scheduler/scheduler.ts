/**
 * Decides when calls leave. Nothing is sent in the turn in which a cell makes its request. The scheduler decides in the next turn of
 * the event loop, and again after every answer. It sets no timer for the next turn, because hidden panes slow timers down. It sets
 * one only for reasons that end with time. Each reason to delay a call has one owner. `sendNext` and `opensAtMs` check them in this
 * order:
 *
 * - slots: at most as many calls are in flight as there are connections. The scheduler assembles a call only when a slot is
 *   free, so that the call includes everything that is queued by then.
 * - token: read when the call leaves.
 * - arrivals: full calls and edits leave at once. While cells keep arriving, at most one part-filled call is in flight. So
 *   the first value arrives after one latency. A sheet that takes a second to arrive costs about a dozen calls more than the
 *   minimum, whatever its size. While the functions announce more requests, no part-filled call leaves. Once cells have
 *   stopped arriving, as many leave as fit.
 * - fault (`failWhatFaultsStop` also fails what is queued) and circuit breaker.
 * - quota, and the spending guard.
 */
import type { InvError } from "../../domain/errors";
import type { TimerId } from "../clock";
import type { CallKind } from "../queue";
import type { ConnectionContext } from "../connection-context";
import type { Arrivals } from "../arrivals";
import type { Sender } from "./sender";
import type { Spending } from "./spending";
import type { TokenKeeper } from "./token";

export function createScheduler(
  options: ConnectionContext & {
    readonly senders: readonly Sender[];
    readonly token: TokenKeeper;
    readonly spending: Spending;
    readonly arrivals: Arrivals;
  },
) {
  const { clock, tracker, senders, token, spending, arrivals } = options;
  let isTurnPlanned = false;
  let isClosed = false;
  let firstSender = 0;
  let timer: TimerId = null;
  let timerAtMs = Infinity;

  /** Decides in the next turn. Call this when something was queued. */
  function wake(): void {
    if (isTurnPlanned) return;
    isTurnPlanned = true;
    clock.nextTurn(() => {
      isTurnPlanned = false;
      const isEdit = arrivals.endTurn();
      for (const { batcher } of senders) batcher.endTurn(isEdit);
      decide();
    });
  }

  function decide(): void {
    if (isClosed) return;
    // All decisions use the same time; the timer covers calls that may leave later.
    const nowMs = clock.steadyNow();
    failWhatFaultsStop();
    while (sendNext(nowMs));
    spending.noteBusy(hasQueued() || inFlight() > 0);
    setTimer(nowMs);
    tracker.touch();
  }

  /** Fails what was queued after a fault. Cells are queued even then, so that there is one way to fail. */
  function failWhatFaultsStop(): void {
    for (const sender of senders) {
      const fault = sender.fault();
      if (fault !== null && sender.batcher.hasQueued()) sender.batcher.failQueued(fault);
    }
  }

  /**
   * Sends the next call that may leave; returns false if none may. Edits go first. The operations take turns, so that neither
   * waits for the other's backlog.
   */
  function sendNext(nowMs: number): boolean {
    if (inFlight() >= options.connections || !hasQueued()) return false;
    token.renewIfDue();
    const accessToken = token.peek();
    if (accessToken === null) return false;
    firstSender = (firstSender + 1) % senders.length;
    const sendersInOrder = [...senders.slice(firstSender), ...senders.slice(0, firstSender)];
    for (const kind of ["edit", kindThatMayLeave(nowMs)] as const) {
      for (const sender of sendersInOrder) {
        const call = opensAtMs(sender, kind, nowMs) <= nowMs ? sender.batcher.take(kind) : null;
        if (call === null) continue;
        sender.send(call, accessToken);
        return true;
      }
    }
    return false;
  }

  function kindThatMayLeave(nowMs: number): CallKind {
    if (options.isExpectingMore()) return "full";
    if (nowMs >= arrivals.quietAtMs()) return "any";
    const isOneInFlight = senders.some((sender) =>
      [...sender.inFlight.keys()].some((call) => call.isPartFilled),
    );
    return isOneInFlight ? "full" : "full-or-one-partial";
  }

  /** Returns when a call of this kind may leave, `nowMs` at the earliest; Infinity if an answer must come first. */
  function opensAtMs(sender: Sender, kind: CallKind, nowMs: number): number {
    const { batcher, fault, circuit, quota, inFlight } = sender;
    if (fault() !== null) return Infinity;
    const isEdit = kind === "edit";
    const atMs = Math.max(
      batcher.readyAtMs(kind),
      token.peek() === null ? token.opensAtMs() : nowMs,
      circuit.opensAtMs(inFlight.size),
      quota.opensAtMs(isEdit, nowMs),
    );
    // Ask the person only about calls that nothing else delays.
    return isEdit || atMs > nowMs ? atMs : spending.opensAtMs(quota, nowMs);
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
    if (!hasQueued() || inFlight() >= options.connections) return Infinity;
    const waiting = senders.filter(({ batcher }) => batcher.hasQueued());
    const openings = waiting.flatMap((sender) =>
      (["edit", "any"] as const).map((kind) => opensAtMs(sender, kind, nowMs)),
    );
    return Math.min(...[...openings, arrivals.quietAtMs()].filter((atMs) => atMs > nowMs));
  }

  function hasQueued(): boolean {
    return senders.some(({ batcher }) => batcher.hasQueued());
  }

  function inFlight(): number {
    return senders.reduce((sum, { inFlight }) => sum + inFlight.size, 0);
  }

  /** Abandons every call in flight and fails everything that is queued. */
  function dropAll(error: InvError): void {
    for (const sender of senders) sender.abandon(error);
    for (const { batcher } of senders) batcher.failQueued(error);
    spending.noteBusy(false);
    tracker.touch();
  }

  function close(): void {
    isClosed = true;
    clock.clearTimeout(timer);
  }

  return { wake, decide, dropAll, close, inFlight };
}
