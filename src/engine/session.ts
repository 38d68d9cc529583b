/**
 * Everything that belongs to one connection, put together: queues, senders, token, scheduler, what is known.
 * Another environment or other credentials get another session, so nothing of the old one can reach the new.
 * What outlives a connection (settings, progress, quota used, the preferred sheet) comes from the engine.
 * Invariant: a closed session has settled all that waited in it, and sends nothing.
 */
import type { Credentials, Environment, Operation } from "../domain/environment";
import { InvError } from "../domain/errors";
import { createArrivals } from "./send/arrivals";
import type { ItemRecord } from "../domain/records";
import type { Clock } from "./clock";
import { createEntries, type Entries } from "./entries";
import type { Asked } from "./entry";
import type { AttemptTools } from "./send/attempt";
import { testConnection } from "./connection-test";
import { createHarmlessCall } from "./harmless-call";
import { createSender, type Sender } from "./send/sender";
import { createScheduler, type Scheduler } from "./send/scheduler";
import { createGroups, type Groups, type ItemEntry } from "./items/groups";
import { createHistoryGroups, type HistoryGroups } from "./histories/history-groups";
import { createHistoryQueue, type HistoryQueue } from "./histories/history-queue";
import { createItemQueue, type ItemQueue } from "./items/item-queue";
import type { ProgressBoard } from "./progress";
import type { Quota } from "./send/quota";
import { createRefreshes } from "./refresh";
import type { Settler } from "./settler";
import type { Sheets } from "./sheets";
import { offline } from "./offline";
import { createTokenKeeper, type TokenKeeper } from "./send/token";
import type { EngineSettings, Fault, Work } from "./types";

export interface Session {
  readonly items: ItemQueue;
  readonly histories: HistoryQueue;
  readonly groups: Groups;
  readonly historyGroups: HistoryGroups;
  readonly entries: Entries<ItemRecord, ItemEntry>;
  inFlight(): number;
  faults(): readonly Fault[];
  /** Nothing has succeeded since the last failure, so nobody knows how long it will take. */
  isDoubtful(): boolean;
  isWaiting(): boolean;
  callsWaiting(): Readonly<Record<Operation, number>>;
  tryAgain(): void;
  /** Sends what may go now. */
  decide(): void;
  testConnection(): Promise<void>;
  refresh(work: Work): Promise<void>;
  /** Settles all that waits with this reason or last known values. */
  dropAll(error: InvError): void;
  close(): void;
}

export interface SessionOptions extends AttemptTools {
  /** The clock of all that waits and of ages; `clock` says when a value was fetched. */
  readonly steady: Clock;
  readonly environment: Environment;
  readonly credentials: Credentials;
  readonly settings: () => EngineSettings;
  /** What was known before it is not to be shown again. */
  readonly clearedAtMs: () => number;
  readonly settler: Settler;
  readonly board: ProgressBoard;
  readonly sheets: Sheets;
  readonly quotas: Readonly<Record<Operation, Quota>>;
  /** By which the team's server tells people apart; null where there is none. */
  readonly page: string | null;
  readonly connections: number;
  readonly maxBytes: number;
  readonly queuedPerTurn: number;
  readonly onAnswered: (latencyMs: number) => void;
  /** More is about to be asked for. */
  readonly isGathering: () => boolean;
  /** A call ended that the quota counted and the scheduler did not know of. */
  readonly onQuotaFreed: () => void;
}

export function createSession(options: SessionOptions): Session {
  const { clock, steady, board, settler, sheets, quotas, environment, credentials, maxBytes } = options;
  let isClosed = false;
  /** How many refreshes have begun, those that failed included. */
  let epoch = 0;
  let callsSent = 0;
  let credentialFault: InvError | null = null;
  /** Tests of the connection, which the scheduler does not know of. */
  const tests = new Set<AbortController>();
  const settings = (): EngineSettings => {
    const now = options.settings();
    if (isClosed) return { ...now, whenUnanswered: "error" };
    // Being offline is a choice, and takes no value away.
    return now.offline ? { ...now, whenUnanswered: "last-known" } : now;
  };
  const stopped = (): InvError | null => (options.settings().offline ? offline() : null);
  const arrivals = createArrivals(steady);
  const wake = () => scheduler.wake();

  const shared = { clock, steady, settings, settler, board, sheets, arrivals, wake };
  const groups = createGroups();
  const entries = createEntries<ItemRecord, ItemEntry>(shared, ({ answer }) => answer);
  const { clearedAtMs } = options;
  const search = { environment, clock, steady, settings, clearedAtMs, groups, entries, maxBytes };
  const items = createItemQueue({ ...shared, groups, entries, search });
  const historyGroups = createHistoryGroups(shared);
  const pages = { environment, clock, maxBytes };
  const histories = createHistoryQueue({ ...shared, groups: historyGroups, pages });

  const token: TokenKeeper = createTokenKeeper({
    ...options,
    clock: steady,
    onChange: () => scheduler.decide(),
    onFault: raiseCredentialFault,
    onOutage: (error) => senders.forEach((sender) => sender.failAll(error)),
  });
  const senderTools = { clock: steady, token, stamp, stopped };
  const searchSender = createSender({
    ...senderTools,
    operation: "search",
    queue: items,
    quota: quotas.search,
  });
  const eventsSender = createSender({
    ...senderTools,
    operation: "events",
    queue: histories,
    quota: quotas.events,
  });
  const senders: readonly Sender[] = [searchSender, eventsSender];
  const scheduler: Scheduler = createScheduler({
    ...options,
    clock: steady,
    senders,
    token,
    consumerId: credentials.consumerId,
    arrivals,
    isQueueing: () => refreshes.isQueueing() || options.isGathering(),
    onTurn(isEdit) {
      items.endTurn(isEdit);
      histories.endTurn(isEdit);
    },
    onSent: board.sent,
    onTokenRefused: raiseCredentialFault,
    onChange: board.touch,
  });
  const refreshes = createRefreshes({
    ...options,
    groups,
    items,
    histories,
    searchSender,
    eventsSender,
    harmlessCall: (proof) => createHarmlessCall(options, proof),
    decide: scheduler.decide,
  });
  const testTools = { ...options, clock: steady, token, quota: quotas.search };

  function stamp(): Asked {
    callsSent += 1;
    return { epoch, number: callsSent, atMs: steady.now() };
  }

  function raiseCredentialFault(error: InvError): void {
    credentialFault = error;
    for (const sender of senders) sender.raise(error);
    board.touch();
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
    token.forgive();
    for (const sender of senders) sender.forgive();
    scheduler.decide();
  }

  async function test(): Promise<void> {
    const reason = stopped();
    if (reason !== null) throw reason;
    const controller = new AbortController();
    const { signal } = controller;
    tests.add(controller);
    try {
      await orAborted(testConnection(testTools, signal), signal);
    } finally {
      tests.delete(controller);
    }
    tryAgain();
  }

  function dropAll(error: InvError): void {
    refreshes.finishQueueing();
    scheduler.dropAll(error);
    for (const controller of [...tests]) controller.abort(error);
  }

  async function refresh(work: Work): Promise<void> {
    epoch += 1;
    await refreshes.begin(work, epoch);
    if (isClosed) throw environmentChanged();
  }

  return {
    items,
    histories,
    groups,
    historyGroups,
    entries,
    inFlight: scheduler.inFlight,
    faults,
    isDoubtful: () => token.isDoubtful() || senders.some((sender) => sender.isDoubtful()),
    isWaiting: () => senders.some((sender) => sender.isWaiting()),
    callsWaiting: () => ({ search: searchSender.callsWaiting(), events: eventsSender.callsWaiting() }),
    tryAgain,
    decide: scheduler.decide,
    testConnection: test,
    refresh,
    dropAll,
    close() {
      isClosed = true;
      dropAll(environmentChanged());
      scheduler.close();
      token.close();
    },
  };
}

/** The same end, or the reason for which all that waits is dropped before it. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject: (error: unknown) => void) => {
    signal.addEventListener("abort", () => reject(signal.reason as InvError), { once: true });
    work.then(resolve, reject);
  });
}

function environmentChanged(): InvError {
  const message =
    "The environment or its credentials changed before the answer came. Refresh to ask the new one.";
  return new InvError("cancelled", message);
}
