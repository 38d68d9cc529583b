/**
 * Puts together everything that belongs to one connection: two batchers, their senders, the scheduler, the token.
 * Another environment or other credentials get another pipeline, so nothing of the old one can reach the new one. What
 * outlives a connection (settings, progress, quota used, worksheet in view) comes from the engine.
 * Invariant: a closed pipeline has settled everything that waited in it, and sends nothing.
 */
import type { Credentials, Operation } from "../domain/environment";
import { InvError } from "../domain/errors";
import { createArrivals } from "./arrivals";
import type { Stamp } from "./entry";
import { createHistoryCosts } from "./histories/history-cost";
import { createHistoryPlanner } from "./histories/history-planner";
import { createHistoryCodec } from "./histories/history-codec";
import { createItemCodec } from "./items/item-codec";
import { createItemPlanner } from "./items/item-planner";
import { createBatcher } from "./batcher";
import type { ConnectionContext } from "./connection-context";
import { createRefreshStart } from "./refresh-start";
import { createScheduler } from "./scheduler/scheduler";
import type { Quota } from "./scheduler/quota";
import { createSender, type Sender } from "./scheduler/sender";
import type { Spending } from "./scheduler/spending";
import { createTokenKeeper } from "./scheduler/token";
import { type EngineSettings, type Fault, offlineError, type Work } from "./types";

export type Pipeline = ReturnType<typeof createPipeline>;

export function createPipeline(
  options: ConnectionContext & {
    readonly quotas: Readonly<Record<Operation, Quota>>;
    readonly spending: Spending;
  },
) {
  const { clock, tracker, sheetInView, quotas } = options;
  let isClosed = false;
  /** How many refreshes and clears have started, failed ones included. */
  let epoch = 0;
  let callsSent = 0;
  /** The epoch that a cell's requests want at least: that of the latest refresh if the refresh has marked the cell. */
  let wantedEpochOf: (cell: string) => number = () => 0;
  let credentialFault: InvError | null = null;
  const settings = (): EngineSettings => {
    const now = options.settings();
    if (isClosed) return { ...now, whenUnanswered: "error" };
    // The person chose to work offline, so cells show their last known values, whatever the setting says.
    return now.offline ? { ...now, whenUnanswered: "last-known" } : now;
  };
  const offlineReason = (): InvError | null => (options.settings().offline ? offlineError() : null);

  const arrivals = createArrivals();
  const batcherOptions = {
    ...{ ...options, settings, arrivals },
    wake: () => scheduler.wake(),
    wantedEpochOf: (cell: string | undefined) => (cell === undefined ? 0 : wantedEpochOf(cell)),
  };
  const costs = createHistoryCosts();
  const items = createBatcher({
    ...batcherOptions,
    planner: createItemPlanner(sheetInView),
    codec: createItemCodec({ ...options, settings }),
  });
  const histories = createBatcher({
    ...batcherOptions,
    planner: createHistoryPlanner(costs, sheetInView),
    codec: createHistoryCodec(options),
  });

  const token = createTokenKeeper({
    ...options,
    onChange: () => scheduler.decide(),
    onFault: raiseCredentialFault,
    onOutage: (error) => senders.forEach(({ batcher }) => batcher.failQueued(error)),
  });
  const senderOptions = {
    ...options,
    token,
    stamp,
    offlineReason,
    onTokenRefused: raiseCredentialFault,
    onEnded: () => scheduler.decide(),
  };
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
  const senders = [search, events] as unknown as readonly Sender[];
  const scheduler = createScheduler({ ...options, senders, token, arrivals });
  const { decide } = scheduler;
  const startRefresh = createRefreshStart({
    items,
    histories,
    faultOf: (operation) => (operation === "search" ? search : events).fault(),
    decide,
  });

  function stamp(): Stamp {
    callsSent += 1;
    return { epoch, number: callsSent, atMs: clock.steadyNow() };
  }

  function raiseCredentialFault(error: InvError): void {
    credentialFault = error;
    for (const sender of senders) sender.raiseFault(error);
    tracker.touch();
  }

  function faults(): readonly Fault[] {
    if (credentialFault !== null) return [{ scope: "credentials", error: credentialFault }];
    return senders.flatMap((sender) => {
      const error = sender.fault();
      return error === null || error.code === "offline" ? [] : [{ scope: sender.operation, error }];
    });
  }

  function tryAgain(): void {
    credentialFault = null;
    token.reset();
    for (const sender of senders) sender.reset();
    scheduler.decide();
  }

  return {
    items,
    histories,
    batchers: [items, histories],
    /** How many pages histories were last seen to have. */
    costs,
    inFlight: scheduler.inFlight,
    faults,
    /** Whether nothing has succeeded since the last failure. The time left is then unknown. */
    isDoubtful: () => token.isDoubtful() || senders.some(({ circuit }) => circuit.isDoubtful()),
    hasQueued: () => senders.some(({ batcher }) => batcher.hasQueued()),
    queuedCalls: () => ({ search: items.queuedCalls(), events: histories.queuedCalls() }),
    tryAgain,
    /** Continues with these credentials and the same cache. */
    renewCredentials(next: Credentials): void {
      token.use(next);
      tryAgain();
    },
    decide,
    async refresh(work: Work, isMarked: (cell: string) => boolean = () => false): Promise<void> {
      epoch += 1;
      const own = epoch;
      await startRefresh(work, own);
      wantedEpochOf = (cell) => (isMarked(cell) ? own : 0);
      if (isClosed) throw environmentChanged();
    },
    /** Forgets all answers. Those that calls in flight still bring never count as fresh. */
    clear(): void {
      epoch += 1;
      items.clear(epoch);
      histories.clear(epoch);
    },
    /** Settles everything that waits with cached answers or this error. */
    dropAll: scheduler.dropAll,
    close(): void {
      isClosed = true;
      scheduler.dropAll(environmentChanged());
      scheduler.close();
      token.close();
    },
  };
}

function environmentChanged(): InvError {
  const message =
    "The environment or its credentials changed before the answer came. Refresh to request the value again.";
  return new InvError("cancelled", message);
}
