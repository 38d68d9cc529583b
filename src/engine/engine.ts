/**
 * The engine as the functions, the pane and the refresh see it. It keeps what outlives a connection (settings, progress, the
 * quota already used, the worksheet in view). The pipeline of the current connection does the rest. The engine doesn't depend on
 * workbooks, pages or Node.
 * Invariant: every promise that it returns settles.
 */
import { signedOut } from "../api/token";
import { isEmbedded, isSession, secretOf } from "../domain/environment";
import { InvError } from "../domain/errors";
import { isHistory } from "../domain/query-keys";
import type { HistoryQuery, ItemQuery, ItemRecord, Query } from "../domain/records";
import { createEstimates, createProgressTracker, type Pace, priceOf } from "./progress";
import { createQuotas } from "./scheduler/quota";
import { onePage } from "./histories/history-cost";
import type { Events } from "./histories/history-planner";
import { createSpending } from "./scheduler/spending";
import { createPipeline, type Pipeline } from "./pipeline";
import { createUnanswered } from "./unanswered";
import { type RequestQuery, requestAsPromise, createSettleQueue } from "./waiters";
import { type Connection, type Engine, type EngineOptions, type EngineSettings } from "./types";

/** Browsers open at most this many connections to one host over HTTP/1.1. */
const defaultConnections = 6;
const defaultMaxAnswerBytes = 2 * 1024 * 1024;
const defaultSettings: EngineSettings = {
  freshnessMs: 15 * 60_000,
  refreshAgeMs: 60_000,
  whenUnanswered: "last-known",
  askAboveCalls: 0,
};
/** Used until the first calls have been measured. */
const assumedLatencyMs = 300;

/** Creates an engine. It sends nothing before `connect` and the first request. */
export function createEngine(options: EngineOptions): Engine {
  const { clock, transport } = options;
  const connections = options.connections ?? defaultConnections;
  const tracker = createProgressTracker(clock);
  const settleQueue = createSettleQueue(clock, tracker);
  const quotasOf = createQuotas(clock, options.callMemory ?? null);
  const unanswered = createUnanswered(() => connection?.environment.id ?? null);
  let settings: EngineSettings = { ...defaultSettings, ...options.settings };
  let connection: Connection | null = null;
  let unconnected = notConnected(null);
  let pipeline: Pipeline | null = null;
  let latencyMs = assumedLatencyMs;
  let clearedAtMs = -Infinity;
  let sheetInView: string | null = null;
  let cancelController = new AbortController();

  const spending = createSpending({
    clock,
    limit: () => (connection && isEmbedded(connection.environment) ? 0 : settings.askAboveCalls),
    queuedCalls: () => pipeline?.queuedCalls() ?? { search: 0, events: 0 },
  });

  const estimates = createEstimates({
    clock,
    tracker,
    spending,
    pace,
    pipeline: () => pipeline,
  });

  function connect(next: Connection | null): void {
    if (pipeline !== null && next?.credentials && isSameAccount(connection, next)) {
      connection = next;
      pipeline.renewCredentials(next.credentials);
      return;
    }
    pipeline?.close();
    spending.reset();
    pipeline = null;
    connection = next;
    unconnected = notConnected(next);
    const { environment, credentials } = next ?? { environment: null, credentials: null };
    if (environment !== null && credentials !== null) {
      pipeline = createPipeline({
        clock,
        transport,
        environment,
        credentials,
        secretNow: () => secretOf(connection?.credentials ?? credentials),
        settings: () => settings,
        clearedAtMs: () => clearedAtMs,
        settleQueue,
        tracker,
        unanswered,
        sheetInView: () => sheetInView,
        quotas: quotasOf(environment, credentials),
        spending,
        connections,
        maxBytes: options.maxAnswerBytes ?? defaultMaxAnswerBytes,
        onAnswered: (tookMs) => (latencyMs += (tookMs - latencyMs) / 8),
      });
    }
    tracker.changed();
  }

  function pace(): Pace | null {
    if (connection === null || connection.credentials === null) return null;
    const { environment, credentials } = connection;
    return { environment, quotas: quotasOf(environment, credentials), connections, latencyMs };
  }

  const requestItem: RequestQuery<ItemQuery, ItemRecord> = (query, waiter, cell) =>
    pipeline === null ? failUnconnected() : pipeline.items.request(query, waiter, cell);
  const requestHistory: RequestQuery<HistoryQuery, Events> = (query, waiter, cell) =>
    pipeline === null ? failUnconnected() : pipeline.histories.request(query, waiter, cell);

  function failUnconnected(): InvError {
    tracker.enter("failed");
    settleQueue.tellProgress();
    // All cells share one error: an error is much larger than a cell's request, and a sheet may have 100,000.
    return unconnected;
  }

  /** Asks the batcher of the query's operation; false without a connection. */
  function askBatcher(query: Query, test: "isFresh" | "isNewEnough" | "hasNewAnswer"): boolean {
    if (pipeline === null) return false;
    return isHistory(query) ? pipeline.histories[test](query) : pipeline.items[test](query);
  }

  return {
    item: (query, cell) => requestAsPromise(requestItem, query, cell),
    history: (query, cell) => requestAsPromise(requestHistory, query, cell),
    requestItem,
    cachedItem: (query) => pipeline?.items.cached(query) ?? undefined,
    cachedHistory: (query) => pipeline?.histories.cached(query) ?? undefined,
    isComing: (query) => pipeline?.items.isComing(query) ?? false,
    connect,
    get connection() {
      return connection;
    },
    configure(changes) {
      settings = { ...settings, ...changes };
    },
    get settings() {
      return settings;
    },
    preferSheet(sheet) {
      sheetInView = sheet;
      pipeline?.batchers.forEach((batcher) => batcher.reorder());
    },
    tryAgain: () => pipeline?.tryAgain(),
    price: (work) => priceOf(work, (query) => pipeline?.costs.of(query) ?? onePage, pace()),
    refresh(work, refreshOptions = {}) {
      if (pipeline === null) {
        const environmentId = connection?.environment.id ?? null;
        for (const query of [...work.items, ...work.histories]) {
          unanswered.note(query, unconnected, environmentId);
        }
        return Promise.reject(unconnected);
      }
      tracker.beginRefresh();
      // The person saw the price before the click.
      spending.approve();
      return pipeline.refresh(work, refreshOptions);
    },
    get cancelSignal() {
      return cancelController.signal;
    },
    cancel() {
      const message = "Cancelled before the answer came. Refresh to ask for the rest.";
      const error = new InvError("cancelled", message);
      cancelController.abort(error);
      cancelController = new AbortController();
      spending.reset();
      pipeline?.cancel(error);
    },
    spendingQuestion: estimates.spendingQuestion,
    approveSpending() {
      spending.approve();
      pipeline?.sendDueCalls();
    },
    clear() {
      clearedAtMs = clock.steadyNow();
      pipeline?.clear();
      tracker.changed();
    },
    unanswered: unanswered.queries,
    isFresh: (query) => askBatcher(query, "isFresh"),
    isNewEnough: (query) => askBatcher(query, "isNewEnough"),
    hasNewAnswer: (query) => askBatcher(query, "hasNewAnswer"),
    refreshOutcome(query) {
      if (pipeline === null) return null;
      return isHistory(query)
        ? pipeline.histories.refreshOutcome(query)
        : pipeline.items.refreshOutcome(query);
    },
    get hasRefresh() {
      return pipeline?.hasRefresh() === true;
    },
    get sheetInView() {
      return sheetInView;
    },
    progress: estimates.progress,
    subscribe: (listener) => tracker.subscribe(() => listener(estimates.progress())),
  };
}

function notConnected(connection: Connection | null): InvError {
  if (connection?.awaitsConsent) {
    const { label } = connection.environment;
    return new InvError("not-connected", `Allow ${label} for this workbook in the INV pane.`);
  }
  if (connection?.environment.credentials === "server") return signedOut();
  const message =
    "Not connected. In the INV pane, choose an environment and enter its consumer ID and client secret.";
  return new InvError("not-connected", message);
}

/** Whether both are sign-in sessions of the same environment. Then the cache stays, because they see the same company's data. */
function isSameAccount(before: Connection | null, next: Connection): boolean {
  if (!before?.credentials || !next.credentials) return false;
  if (!isSession(before.credentials) || !isSession(next.credentials)) return false;
  return JSON.stringify(before.environment) === JSON.stringify(next.environment);
}
