/**
 * Puts together everything that belongs to one connection: two batchers, their senders, the scheduler, the token, the probes.
 * Another environment or other credentials get another session, so nothing of the old one can reach the new one. What
 * outlives a connection (settings, progress, quota used, preferred sheet) comes from the engine.
 * Invariant: a closed session has settled everything that waited in it, and sends nothing.
 */
import type { Credentials, Operation } from "../domain/environment";
import { InvError } from "../domain/errors";
import { createArrivals } from "./arrivals";
import { createProbes } from "./probe";
import type { Stamp } from "./entry";
import { createHistoryCosts } from "./histories/history-cost";
import { createHistoryPlanner } from "./histories/history-planner";
import { createHistoryCodec } from "./histories/history-codec";
import { createItemCodec } from "./items/item-codec";
import { createItemPlanner } from "./items/item-planner";
import { createBatcher } from "./batcher";
import type { ConnectionContext } from "./connection-context";
import { createScheduler } from "./scheduler/scheduler";
import type { Quota } from "./scheduler/quota";
import { createSender, type Sender } from "./scheduler/sender";
import type { Spending } from "./scheduler/spending";
import { createTokenKeeper } from "./scheduler/token";
import type { EngineSettings, Fault, Work } from "./types";

export type Session = ReturnType<typeof createSession>;

export function createSession(
  options: ConnectionContext & {
    readonly quotas: Readonly<Record<Operation, Quota>>;
    readonly spending: Spending;
  },
) {
  const { clock, tracker, sheets, quotas } = options;
  let isClosed = false;
  /** How many refreshes have started, failed ones included. */
  let epoch = 0;
  let callsSent = 0;
  let credentialFault: InvError | null = null;
  const settings = (): EngineSettings => {
    const now = options.settings();
    if (isClosed) return { ...now, whenUnanswered: "error" };
    // Offline is a choice, so cells keep their values.
    return now.offline ? { ...now, whenUnanswered: "last-known" } : now;
  };
  const stopped = (): InvError | null => (options.settings().offline ? offline() : null);

  const arrivals = createArrivals();
  const batcherOptions = { ...options, settings, arrivals, wake: () => scheduler.wake() };
  const costs = createHistoryCosts();
  const items = createBatcher({
    ...batcherOptions,
    planner: createItemPlanner(sheets.preferred),
    codec: createItemCodec({ ...options, settings }),
  });
  const histories = createBatcher({
    ...batcherOptions,
    planner: createHistoryPlanner(costs, sheets.preferred),
    codec: createHistoryCodec(options),
  });

  const token = createTokenKeeper({
    ...options,
    onChange: () => scheduler.decide(),
    onFault: raiseCredentialFault,
    onOutage: (error) => senders.forEach(({ batcher }) => batcher.failWaiting(error)),
  });
  const senderOptions = {
    ...options,
    token,
    stamp,
    stopped,
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
  const senders: readonly Sender[] = [search, events];
  const scheduler = createScheduler({ ...options, senders, token, arrivals });
  const { decide } = scheduler;
  const probes = createProbes({ ...options, items, histories, search, events, token, decide });

  function stamp(): Stamp {
    callsSent += 1;
    return { epoch, number: callsSent, atMs: clock.steadyNow() };
  }

  function raiseCredentialFault(error: InvError): void {
    credentialFault = error;
    for (const sender of senders) sender.raise(error);
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

  /** Settles everything that waits with cached answers or this error. */
  function dropAll(error: InvError): void {
    probes.finishQueueing();
    scheduler.dropAll(error);
  }

  return {
    items,
    histories,
    batchers: [items, histories],
    /** How many pages histories were last seen to have. */
    costs,
    inFlight: scheduler.inFlight,
    faults,
    /** Whether nothing has succeeded since the last failure, so that the time left can't be estimated. */
    isDoubtful: () => token.isDoubtful() || senders.some(({ circuit }) => circuit.isDoubtful()),
    isWaiting: () => senders.some(({ batcher }) => batcher.isWaiting()),
    callsWaiting: () => ({ search: items.callsWaiting(), events: histories.callsWaiting() }),
    tryAgain,
    /** Continues with these credentials and the same cache. */
    renewCredentials(next: Credentials): void {
      token.use(next);
      tryAgain();
    },
    decide,
    async testConnection(): Promise<void> {
      const reason = stopped();
      if (reason !== null) throw reason;
      await probes.test();
      tryAgain();
    },
    async refresh(work: Work): Promise<void> {
      epoch += 1;
      await probes.refresh(work, epoch);
      if (isClosed) throw environmentChanged();
    },
    dropAll,
    close(): void {
      isClosed = true;
      dropAll(environmentChanged());
      scheduler.close();
      token.close();
    },
  };
}

/** The error of everything that is not requested because a person chose to work offline. */
export function offline(): InvError {
  const message = "INV is offline and sends no requests. Go online in the INV pane.";
  return new InvError("offline", message);
}

function environmentChanged(): InvError {
  const message =
    "The environment or its credentials changed before the answer came. Refresh to request the value again.";
  return new InvError("cancelled", message);
}
