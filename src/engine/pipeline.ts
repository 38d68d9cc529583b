/**
 * Puts together everything that belongs to one connection: two batchers, their senders, the token. It sends the calls that
 * `scheduler/decision.ts` lets leave. None of its parts calls it: they return what has happened, and it looks again.
 * Another environment or other credentials get another pipeline, so nothing of the old one can reach the new one. What
 * outlives a connection (settings, progress, quota used, worksheet in view) comes from the engine.
 * Invariant: a closed pipeline has settled everything that waited in it, and sends nothing.
 */
import { type Credentials, isEmbedded, type Operation } from "../domain/environment";
import { InvError } from "../domain/errors";
import type { Query } from "../domain/records";
import { unawaited } from "../domain/unawaited";
import type { RequestQuery } from "./waiters";
import { createArrivals } from "./scheduler/arrivals";
import type { Stamp } from "./entry";
import { createHistoryCosts } from "./histories/history-cost";
import { createHistoryPlanner } from "./histories/history-planner";
import { createHistoryCodec } from "./histories/history-codec";
import { createItemCodec } from "./items/item-codec";
import { createItemPlanner } from "./items/item-planner";
import { type Batcher, createBatcher } from "./batcher";
import type { TimerId } from "./clock";
import type { ConnectionContext } from "./connection-context";
import { createEngineRefresh, type EngineRefresh, untilSettled } from "./engine-refresh";
import { type Decision, decide } from "./scheduler/decision";
import type { Quota } from "./scheduler/quota";
import { createSender, type Sender } from "./scheduler/sender";
import type { Spending } from "./scheduler/spending";
import { createTokenKeeper } from "./scheduler/token";
import { type EngineSettings, type Fault, type RefreshOptions, type Work } from "./types";

export type Pipeline = ReturnType<typeof createPipeline>;

export function createPipeline(
  options: ConnectionContext & {
    readonly quotas: Readonly<Record<Operation, Quota>>;
    readonly spending: Spending;
  },
) {
  const { clock, tracker, sheetInView, quotas, spending } = options;
  let isClosed = false;
  let isTurnPlanned = false;
  let timer: TimerId = null;
  let timerAtMs = Infinity;
  /** How many refreshes and clears have started, failed ones included. */
  let epoch = 0;
  let callsSent = 0;
  let latestRefresh: EngineRefresh | null = null;
  let credentialFault: InvError | null = null;
  const settings = (): EngineSettings => {
    const now = options.settings();
    return isClosed ? { ...now, whenUnanswered: "error" } : now;
  };
  /** How old an answer of this page may be that a refresh takes. In the demo a refresh always asks, so that people see one. */
  const ownAgeMs = (): number => (isEmbedded(options.environment) ? 0 : options.settings().refreshAgeMs);

  const arrivals = createArrivals();
  const batcherOptions = {
    ...options,
    settings,
    arrivals,
    latestRefresh: () => latestRefresh,
    ownAgeMs,
  };
  const costs = createHistoryCosts();
  const items = createBatcher({
    ...batcherOptions,
    planner: createItemPlanner(sheetInView),
    codec: createItemCodec({ ...options, settings, latestRefresh: () => latestRefresh }),
  });
  const histories = createBatcher({
    ...batcherOptions,
    planner: createHistoryPlanner(costs, sheetInView),
    codec: createHistoryCodec(options),
  });
  const token = createTokenKeeper(options);
  const senderOptions = { ...options, token, stamp };
  const search = createSender({
    ...senderOptions,
    operation: "search",
    batcher: items,
    quota: quotas.search,
  });
  const events = createSender({
    ...senderOptions,
    operation: "events",
    batcher: histories,
    quota: quotas.events,
  });
  /** In the order in which they may send: the one that sent last comes last. */
  let senders: readonly Sender[] = [search, events];

  /** Sends calls in the next turn: a call includes everything that this turn still requests. */
  function planTurn(): void {
    if (isTurnPlanned) return;
    isTurnPlanned = true;
    // No timer, because hidden panes slow timers down.
    clock.nextTurn(() => {
      isTurnPlanned = false;
      const isEdit = arrivals.endTurn();
      items.endTurn(isEdit);
      histories.endTurn(isEdit);
      sendDueCalls();
    });
  }

  /** Sends what may leave now, and plans when to look again. Requests, answers, tokens and the timer lead here. */
  function sendDueCalls(): void {
    if (isClosed) return;
    // All decisions use the same time; the timer covers calls that may leave later.
    const nowMs = clock.steadyNow();
    failWhatFaultsStop();
    spending.endBurstIfQuiet();
    let decision = decideNow(nowMs);
    while (decision.next !== null && sendNext(decision.next)) decision = decideNow(nowMs);
    lookAgain(decision.lookAgainAtMs);
    const hasCalls = hasQueued() || inFlight() > 0;
    spending.noteBusy(hasCalls);
    tracker.noteCalls(hasCalls);
  }

  /** Fails what was queued after a fault. Cells are queued even then, so that there is one way to fail. */
  function failWhatFaultsStop(): void {
    for (const sender of senders) {
      const fault = sender.fault();
      if (fault !== null && sender.hasQueued()) sender.failQueued(fault);
    }
  }

  function decideNow(nowMs: number): Decision<Sender> {
    const hasFreeSlot = hasQueued() && inFlight() < options.connections;
    if (hasFreeSlot) renewTokenIfDue();
    const decision = decide<Sender>({
      nowMs,
      senders,
      hasFreeSlot,
      tokenAtMs: token.peek() === null ? token.opensAtMs() : nowMs,
      isPartFilledInFlight: senders.some((sender) => sender.hasPartFilledInFlight()),
      quietAtMs: arrivals.quietAtMs(),
      spendingGate: ({ quota }) => spending.gate(quota, nowMs),
    });
    if (decision.asksAboutSpending) spending.ask(nowMs);
    return decision;
  }

  /** Returns whether a call left. */
  function sendNext({ sender, kind }: NonNullable<Decision<Sender>["next"]>): boolean {
    const accessToken = token.peek();
    const sent = accessToken === null ? null : sender.sendNext(kind, accessToken);
    if (sent === null) return false;
    senders = [...senders.filter((other) => other !== sender), sender];
    unawaited(
      sent.ended.then(() => {
        const refused = sent.settle();
        if (refused !== null) raiseCredentialFault(refused);
        sendDueCalls();
      }),
    );
    return true;
  }

  function renewTokenIfDue(): void {
    const renewal = token.renewIfDue();
    unawaited(
      renewal?.ended.then(() => {
        const { fault, outage } = renewal.receive();
        if (fault !== null) raiseCredentialFault(fault);
        if (outage !== null) for (const sender of senders) sender.failQueued(outage);
        sendDueCalls();
      }),
    );
  }

  function lookAgain(atMs: number): void {
    if (atMs >= timerAtMs) return;
    clock.clearTimeout(timer);
    timerAtMs = atMs;
    timer = clock.setTimeout(
      () => {
        timerAtMs = Infinity;
        sendDueCalls();
      },
      Math.max(0, atMs - clock.steadyNow()),
    );
  }

  function hasQueued(): boolean {
    return senders.some((sender) => sender.hasQueued());
  }

  function inFlight(): number {
    return search.inFlight() + events.inFlight();
  }

  /** Settles everything that waits with cached answers or this error. */
  function dropAll(error: InvError): void {
    for (const sender of senders) sender.abandon(error);
    for (const sender of senders) sender.failQueued(error);
    spending.noteBusy(false);
    tracker.noteCalls(false);
  }

  /** Plans a turn after a request that isn't answered yet. */
  function requestFrom<Asked extends Query, T>(batcher: Batcher<Asked, T>): RequestQuery<Asked, T> {
    return (query, waiter, cell) => {
      const outcome = batcher.request(query, waiter, cell);
      if (outcome === null) planTurn();
      return outcome;
    };
  }

  function stamp(): Stamp {
    callsSent += 1;
    return { epoch, number: callsSent, atMs: clock.steadyNow() };
  }

  function raiseCredentialFault(error: InvError): void {
    credentialFault = error;
    for (const sender of senders) sender.raiseFault(error);
    tracker.changed();
  }

  function faults(): readonly Fault[] {
    if (credentialFault !== null) return [{ scope: "credentials", error: credentialFault }];
    return senders.flatMap((sender) => {
      const error = sender.fault();
      return error === null ? [] : [{ scope: sender.operation, error }];
    });
  }

  function tryAgain(): void {
    credentialFault = null;
    token.reset();
    for (const sender of senders) sender.reset();
    sendDueCalls();
  }

  return {
    items: { ...items, request: requestFrom(items) },
    histories: { ...histories, request: requestFrom(histories) },
    batchers: [items, histories],
    /** How many pages histories were last seen to have. */
    costs,
    inFlight,
    faults,
    isDoubtful: () => token.isDoubtful() || senders.some((sender) => sender.isDoubtful()),
    hasQueued,
    queuedCalls: () => ({ search: items.queuedCalls(), events: histories.queuedCalls() }),
    tryAgain,
    /** Continues with these credentials and the same cache. */
    renewCredentials(next: Credentials): void {
      token.use(next);
      tryAgain();
    },
    sendDueCalls,
    /** Requests all of this work that isn't new enough. */
    async refresh(
      work: Work,
      {
        isMarked,
        isLastStage,
        asksAnyway,
        ageMs = ownAgeMs(),
        continues = false,
        ...callbacks
      }: RefreshOptions,
    ): Promise<void> {
      const isContinued = continues && latestRefresh !== null;
      if (!isContinued) epoch += 1;
      const sharedAgeMs = options.settings().refreshAgeMs;
      const engineRefresh = createEngineRefresh(clock, {
        epoch,
        isMarked,
        isLastStage,
        asksAnyway,
        ageMs,
        sharedAgeMs,
        continued: isContinued ? latestRefresh : null,
      });
      latestRefresh = engineRefresh;
      await untilSettled(work, callbacks, (queries, settle) => {
        items.refresh(queries.items, engineRefresh, settle);
        histories.refresh(queries.histories, engineRefresh, settle);
        planTurn();
      });
    },
    hasRefresh: () => latestRefresh !== null,
    cancel(error: InvError): void {
      latestRefresh?.cancel(error);
      dropAll(error);
    },
    /** Forgets all answers. Those that calls in flight still bring never count as fresh. */
    clear(): void {
      epoch += 1;
      items.clear(epoch);
      histories.clear(epoch);
    },
    close(): void {
      isClosed = true;
      dropAll(environmentChanged());
      clock.clearTimeout(timer);
      token.close();
    },
  };
}

function environmentChanged(): InvError {
  const message =
    "The environment or its credentials changed before the answer came. Refresh to request the value again.";
  return new InvError("cancelled", message);
}
