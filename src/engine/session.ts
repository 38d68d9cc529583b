/**
 * Everything that belongs to one connection, put together: lanes, desks, token, dispatcher, what is known.
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
import { createDesk, type Desk } from "./send/desk";
import { createDispatcher, type Dispatcher } from "./send/dispatcher";
import { createGroups, type Groups, type ItemEntry } from "./items/groups";
import { createHistoryGroups, type HistoryGroups } from "./histories/history-groups";
import { createHistoryLane, type HistoryLane } from "./histories/history-lane";
import { createItemLane, type ItemLane } from "./items/item-lane";
import type { ProgressBoard } from "./progress";
import type { Quota } from "./send/quota";
import { beginRefresh } from "./refresh";
import type { Settler } from "./settler";
import type { Sheets } from "./items/sheets";
import { offline } from "./offline";
import { createTokenKeeper, type TokenKeeper } from "./send/token";
import type { EngineSettings, Fault, Work } from "./types";

export interface Session {
  readonly items: ItemLane;
  readonly histories: HistoryLane;
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
  readonly onAnswered: (latencyMs: number) => void;
  /** A call ended that the quota counted and the dispatcher did not know of. */
  readonly onQuotaFreed: () => void;
}

export function createSession(options: SessionOptions): Session {
  const { clock, steady, board, settler, sheets, quotas, environment, credentials, maxBytes } = options;
  let isClosed = false;
  /** How many refreshes have begun, those that failed included. */
  let epoch = 0;
  let callsSent = 0;
  let credentialFault: InvError | null = null;
  /** Tests of the connection, which the dispatcher does not know of. */
  const tests = new Set<AbortController>();
  const settings = (): EngineSettings => {
    const now = options.settings();
    if (isClosed) return { ...now, whenUnanswered: "error" };
    // Being offline is a choice, and takes no value away.
    return now.offline ? { ...now, whenUnanswered: "last-known" } : now;
  };
  const stopped = (): InvError | null => (options.settings().offline ? offline() : null);
  const arrivals = createArrivals(steady);
  const wake = () => dispatcher.wake();

  const shared = { clock, steady, settings, settler, board, sheets, arrivals, wake };
  const groups = createGroups();
  const entries = createEntries<ItemRecord, ItemEntry>(shared, ({ answer }) => answer);
  const { clearedAtMs } = options;
  const search = { environment, clock, steady, settings, clearedAtMs, groups, entries, maxBytes };
  const items = createItemLane({ ...shared, groups, entries, search });
  const historyGroups = createHistoryGroups(shared);
  const pages = { environment, clock, maxBytes };
  const histories = createHistoryLane({ ...shared, groups: historyGroups, pages });

  const token: TokenKeeper = createTokenKeeper({
    ...options,
    clock: steady,
    onChange: () => dispatcher.decide(),
    onFault: raiseCredentialFault,
    onOutage: (error) => desks.forEach((desk) => desk.failAll(error)),
  });
  const deskTools = { clock: steady, token, stamp, stopped };
  const searchDesk = createDesk({ ...deskTools, operation: "search", lane: items, quota: quotas.search });
  const eventsDesk = createDesk({ ...deskTools, operation: "events", lane: histories, quota: quotas.events });
  const desks: readonly Desk[] = [searchDesk, eventsDesk];
  const dispatcher: Dispatcher = createDispatcher({
    ...options,
    clock: steady,
    desks,
    token,
    consumerId: credentials.consumerId,
    arrivals,
    onTurn(isEdit) {
      items.endTurn(isEdit);
      histories.endTurn(isEdit);
    },
    onSent: board.sent,
    onTokenRefused: raiseCredentialFault,
    onChange: board.touch,
  });
  const testTools = { ...options, clock: steady, token, quota: quotas.search };

  function stamp(): Asked {
    callsSent += 1;
    return { epoch, number: callsSent, atMs: steady.now() };
  }

  function raiseCredentialFault(error: InvError): void {
    credentialFault = error;
    for (const desk of desks) desk.raise(error);
    board.touch();
  }

  function faults(): readonly Fault[] {
    if (credentialFault !== null) return [{ scope: "credentials", error: credentialFault }];
    return desks.flatMap((desk) => {
      const error = desk.fault();
      return error === null || error.code === "offline" ? [] : [{ scope: desk.operation, error }];
    });
  }

  function tryAgain(): void {
    credentialFault = null;
    token.forgive();
    for (const desk of desks) desk.forgive();
    dispatcher.decide();
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
    dispatcher.dropAll(error);
    for (const controller of [...tests]) controller.abort(error);
  }

  async function refresh(work: Work): Promise<void> {
    epoch += 1;
    await beginRefresh(
      {
        groups,
        items,
        histories,
        searchDesk,
        eventsDesk,
        harmlessCall: (proof) => createHarmlessCall(options, proof),
        decide: dispatcher.decide,
      },
      work,
      epoch,
    );
    if (isClosed) throw environmentChanged();
  }

  return {
    items,
    histories,
    groups,
    historyGroups,
    entries,
    inFlight: dispatcher.inFlight,
    faults,
    isDoubtful: () => token.isDoubtful() || desks.some((desk) => desk.isDoubtful()),
    isWaiting: () => desks.some((desk) => desk.isWaiting()),
    callsWaiting: () => ({ search: searchDesk.callsWaiting(), events: eventsDesk.callsWaiting() }),
    tryAgain,
    decide: dispatcher.decide,
    testConnection: test,
    refresh,
    dropAll,
    close() {
      isClosed = true;
      dropAll(environmentChanged());
      dispatcher.close();
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
