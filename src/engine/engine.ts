/**
 * The engine as the functions, the pane and the refresh see it. It holds what outlives a connection
 * (settings, progress, the quota already used, the preferred sheet) and hands everything else to the
 * session of the connection in use. Knows nothing of workbooks, pages or Node.
 * Invariant: every promise it gives settles.
 */
import { withholding } from "../api/withheld";
import type { Operation } from "../domain/environment";
import { InvError } from "../domain/errors";
import type { HistoryQuery, ItemQuery, ItemRecord } from "../domain/records";
import { durationOf, type Pace, priceOf, quotaShare } from "./price";
import { createProgressBoard } from "./progress";
import { createPromising } from "./promises";
import { createQuota, type Quota } from "./send/quota";
import type { Clock } from "./clock";
import type { Events } from "./histories/history-groups";
import { createSpendingGuard } from "./send/spending-guard";
import { createSession, type Session } from "./session";
import { offline } from "./offline";
import { createSettler } from "./settler";
import { createSheets } from "./sheets";
import { createSteadyClock } from "./steady-clock";
import type {
  Connection,
  Engine,
  EngineOptions,
  EngineSettings,
  Progress,
  QuotaUse,
  SpendingQuestion,
} from "./types";
import type { Outcome, Waiter } from "./answer";

/** What browsers open to one host at once over HTTP/1.1. */
const defaultConnections = 6;
const defaultMaxAnswerBytes = 2 * 1024 * 1024;
/** Some milliseconds of a turn. */
const defaultQueuedPerTurn = 10_000;
const defaultSettings: EngineSettings = {
  freshnessMs: 15 * 60_000,
  refreshAgeMs: 60_000,
  whenUnanswered: "last-known",
  askAboveCalls: 0,
  offline: false,
};
/** Until calls have been seen to take their time. */
const assumedLatencyMs = 300;

/** Everything enters through the options; nothing is sent before `connect` and the first request. */
export function createEngine(options: EngineOptions): Engine {
  const { clock, transport } = options;
  const connections = options.connections ?? defaultConnections;
  const steady = createSteadyClock(clock);
  const sheets = createSheets();
  const board = createProgressBoard({ clock: steady, snapshot: progress, isBusy });
  const settler = createSettler(clock, board.touch);
  const promised = createPromising();
  const quotasByConsumer = new Map<string, Readonly<Record<Operation, Quota>>>();
  let settings: EngineSettings = { ...defaultSettings, ...options.settings };
  let connection: Connection | null = null;
  let unconnected = notConnected(null);
  let session: Session | null = null;
  let latencyMs = assumedLatencyMs;
  let page: string | null = null;
  let clearedAtMs = -Infinity;
  let gatherings = 0;

  const guard = createSpendingGuard({
    clock: steady,
    limit: () => (connection?.environment.kind === "demo" ? 0 : settings.askAboveCalls),
    callsWaiting: () => session?.callsWaiting() ?? { search: 0, events: 0 },
  });

  function connect(next: Connection | null): void {
    session?.close();
    guard.reset();
    session = null;
    connection = next;
    unconnected = notConnected(next);
    if (next !== null && next.credentials !== null) {
      const quotas = quotasOf(next, next.credentials.consumerId);
      session = createSession({
        clock,
        steady,
        transport: withholding(transport, next.credentials.clientSecret),
        environment: next.environment,
        credentials: next.credentials,
        settings: () => settings,
        clearedAtMs: () => clearedAtMs,
        settler,
        board,
        sheets,
        quotas: { search: guard.guarded(quotas.search), events: guard.guarded(quotas.events) },
        page: next.environment.pacedBy === "server" ? (page ??= randomName(clock)) : null,
        connections,
        maxBytes: options.maxAnswerBytes ?? defaultMaxAnswerBytes,
        queuedPerTurn: options.queuedPerTurn ?? defaultQueuedPerTurn,
        isGathering: () => gatherings > 0,
        onQuotaFreed: () => session?.decide(),
        onAnswered: (tookMs) => (latencyMs += (tookMs - latencyMs) / 8),
      });
    }
    board.touch();
  }

  /** The service counts by consumer, so what was sent before a new secret still counts. */
  function quotasOf({ environment }: Connection, consumerId: string): Readonly<Record<Operation, Quota>> {
    const { pacedBy = "page" } = environment;
    const key = JSON.stringify([environment.id, consumerId, environment.quota, pacedBy]);
    const known = quotasByConsumer.get(key);
    if (known !== undefined) return known;
    const { search, events } = environment.quota;
    const quotas = {
      search: createQuota(steady, { limit: search, pacedBy }),
      events: createQuota(steady, { limit: events, pacedBy }),
    };
    quotasByConsumer.set(key, quotas);
    return quotas;
  }

  function pace(): Pace | null {
    const consumerId = connection?.credentials?.consumerId;
    if (connection === null || consumerId === undefined) return null;
    const { environment } = connection;
    return { environment, quotas: quotasOf(connection, consumerId), connections, latencyMs };
  }

  function askItem(
    query: ItemQuery,
    waiter: Waiter<ItemRecord>,
    cell: string | undefined,
  ): Outcome<ItemRecord> | null {
    return session === null ? refuse(waiter) : session.items.ask(query, waiter, cell);
  }

  function askHistory(
    query: HistoryQuery,
    waiter: Waiter<Events>,
    cell: string | undefined,
  ): Outcome<Events> | null {
    return session === null ? refuse(waiter) : session.histories.ask(query, waiter, cell);
  }

  function refuse<T>(waiter: Waiter<T>): Outcome<T> | null {
    board.begin(steady.now());
    board.enter("failed");
    board.touch();
    // One reason for all cells: an error is far larger than what a cell asks, and a sheet may hold 100,000.
    return settler.give(waiter, unconnected);
  }

  function isFresh(query: ItemQuery | HistoryQuery): boolean {
    if (session === null) return false;
    if ("gtin" in query) return session.historyGroups.fresh(query) !== null;
    const entry = session.groups.find(query)?.entries.get(query.value);
    return (
      entry !== undefined && entry.answer !== null && session.entries.isFresh(entry.answer, entry.wantedEpoch)
    );
  }

  function isBusy(): boolean {
    const { waiting, inFlight } = board.cells;
    const isWorking = waiting > 0 || inFlight > 0 || settler.pending() > 0;
    return isWorking || (session !== null && (session.inFlight() > 0 || session.isWaiting()));
  }

  function progress(): Progress {
    return {
      busy: isBusy(),
      cells: { ...board.cells },
      calls: { ...board.calls },
      quota: quotaUse(),
      remainingMs: remainingMs(),
      faults: session?.faults() ?? [],
    };
  }

  function quotaUse(): Readonly<Record<Operation, QuotaUse>> {
    const quotas = pace()?.quotas;
    return { search: useOf(quotas?.search), events: useOf(quotas?.events) };
  }

  /** In the system's time, for people. */
  function useOf(quota: Quota | undefined): QuotaUse {
    const { used, limit, resumesAtMs } = quota?.use() ?? { used: 0, limit: 0, resumesAtMs: null };
    const aheadMs = clock.now() - steady.now();
    return { used, limit, resumesAtMs: resumesAtMs === null ? null : resumesAtMs + aheadMs };
  }

  function spendingQuestion(): SpendingQuestion | null {
    const held = guard.question();
    const now = pace();
    if (held === null || now === null) return null;
    const { calls, goesOnAtMs } = held;
    return {
      calls,
      quotaShare: quotaShare(calls, now.environment),
      isAtMost: now.environment.pacedBy === "server",
      durationMs: durationOf(calls, now),
      goesOnAtMs: goesOnAtMs - (steady.now() - clock.now()),
    };
  }

  function remainingMs(): number | null {
    const now = pace();
    if (session === null || now === null) return 0;
    if (session.faults().length > 0 || session.isDoubtful()) return null;
    const waitingMs = durationOf(session.callsWaiting(), now);
    return waitingMs + (session.inFlight() > 0 ? Math.round(latencyMs) : 0);
  }

  return {
    item: (query, cell) => promised(askItem, query, cell),
    history: (query, cell) => promised(askHistory, query, cell),
    ask: askItem,
    known: (query) => session?.groups.find(query)?.entries.get(query.value)?.answer ?? undefined,
    knownHistory: (query) => session?.historyGroups.known(query) ?? undefined,
    connect,
    get connection() {
      return connection;
    },
    configure(changes) {
      const wasOffline = settings.offline;
      settings = { ...settings, ...changes };
      if (settings.offline && !wasOffline) session?.dropAll(offline());
      else if (wasOffline && !settings.offline) session?.decide();
      if (settings.offline !== wasOffline) board.touch();
    },
    get settings() {
      return settings;
    },
    gather(until) {
      gatherings += 1;
      void until.then(() => {
        gatherings -= 1;
        session?.decide();
      });
    },
    preferSheet(sheet) {
      sheets.prefer(sheet);
      session?.items.queues.reorder();
    },
    testConnection: () => session?.testConnection() ?? Promise.reject(unconnected),
    tryAgain: () => session?.tryAgain(),
    price: (work) => priceOf(work, (query) => session?.historyGroups.pagesOf(query) ?? 1, pace()),
    refresh(work) {
      if (session === null) return Promise.reject(unconnected);
      board.beginRefresh();
      // Its price was seen before the click.
      guard.approve();
      return session.refresh(work);
    },
    cancel() {
      options.onCancel?.();
      guard.reset();
      session?.dropAll(cancelled());
    },
    spendingQuestion,
    approveSpending() {
      guard.approve();
      session?.decide();
    },
    clear() {
      clearedAtMs = steady.now();
      session?.groups.clear();
      session?.historyGroups.clear();
      board.touch();
    },
    isFresh,
    progress,
    subscribe: board.subscribe,
  };
}

function notConnected(connection: Connection | null): InvError {
  if (connection?.awaitsConsent) {
    const { label } = connection.environment;
    return new InvError("not-connected", `Open the INV pane to allow ${label} for this workbook.`);
  }
  const message =
    "Not connected. Open the INV pane, choose an environment and enter its consumer ID and client secret.";
  return new InvError("not-connected", message);
}

function cancelled(): InvError {
  return new InvError("cancelled", "Cancelled before the answer came. Refresh to ask for the rest.");
}

/** Enough to tell a company's pages apart. */
function randomName(clock: Clock): string {
  return Array.from({ length: 4 }, () =>
    Math.floor(clock.random() * 2 ** 24)
      .toString(36)
      .padStart(5, "0"),
  ).join("");
}
