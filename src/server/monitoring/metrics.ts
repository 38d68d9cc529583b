/**
 * The server's Prometheus metrics by environment and operation, never by person, consumer, store or item.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import packageFacts from "../../../package.json";
import type { Failure } from "../answer";
import type { CompanyObserver } from "../shared-quota/call";
import { createHealth, type Health } from "./health";

export interface Metrics {
  readonly company: CompanyObserver;
  /** `read` returns the seconds until requests leave again. */
  silenceLeft(read: () => number): void;
  certificateValidUntil(ms: number): void;
  sessions(count: number): void;
  connectionRefused(): void;
  readonly evicted: () => void;
  /**
   * Called when the service answered a token request with this status. 502 and 504 mean that it didn't
   * answer.
   */
  tokenAsked(environment: string, status: number): void;
  answered(call: AnsweredCall): void;
  readonly contentType: string;
  text(): Promise<string>;
}

export interface AnsweredCall {
  /** The request's ID, which its page also gets. */
  readonly id: string;
  readonly environment: string;
  readonly operation: "token" | "search" | "events";
  readonly status: number;
  readonly durationMs: number;
  readonly failure: Failure | null;
}

const byOperation = ["environment", "operation"] as const;
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

interface MetricsOptions {
  readonly health?: Health;
  /** Returns how many lines of the log couldn't be written since the start. */
  readonly linesLost?: () => number;
}

export function createMetrics({
  health = createHealth(),
  linesLost = () => 0,
}: MetricsOptions = {}): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name, help, labelNames, registers });
  const seconds = (name: string, help: string) =>
    new Histogram({ name, help, labelNames: byOperation, buckets, registers });

  const pageCalls = counter("inv_page_calls_total", "Calls of pages, by status.", [...byOperation, "status"]);
  const pageCallFailures = counter("inv_page_call_failures_total", "Failed calls of pages, by cause.", [
    ...byOperation,
    "by",
    "code",
  ]);
  const pageCallSeconds = seconds("inv_page_call_seconds", "Time until a page got its answer.");
  const serviceCalls = counter("inv_service_calls_total", "Calls to the service, by status.", [
    ...byOperation,
    "status",
  ]);
  const serviceSeconds = seconds("inv_service_call_seconds", "Time of the service for a lookup.");
  const waiting = gauge("inv_calls_waiting", "Calls that wait for their turn now.", byOperation);
  const evictions = counter(
    "inv_cache_evictions_total",
    "Stores' answers removed from server memory to make room. Not counted with Redis.",
    [],
  );
  const sharedItems = counter("inv_shared_items_total", "Items answered by other calls than their own.", [
    "environment",
  ]);
  const quotaRefusals = counter(
    "inv_quota_refusals_total",
    "Calls rejected because the company's quota was used up.",
    byOperation,
  );
  const awayRefusals = counter(
    "inv_redis_refusals_total",
    "Calls rejected because Redis was away, or had lost the log of sent requests.",
    byOperation,
  );
  const waitSeconds = seconds("inv_quota_wait_seconds", "Time that calls waited for their turn.");
  const quotaLeft = gauge(
    "inv_quota_left_calls",
    "Calls left in the quota after the last call.",
    byOperation,
  );
  const degraded = gauge(
    "inv_degraded",
    "1 while the server works, but not as it should, by reason. Otherwise 0.",
    ["reason"],
  );
  let readSilence = () => 0;
  const silence = gauge(
    "inv_redis_silence_seconds",
    "Seconds until requests leave again, after Redis was replaced or has lost them. Otherwise 0.",
    [],
  );
  const certificateUntil = gauge(
    "inv_certificate_not_after_seconds",
    "When the server's certificate expires, in seconds since 1970.",
    [],
  );
  const connectionsRefused = counter(
    "inv_connections_refused_total",
    "Connections refused, because as many as allowed were open.",
    [],
  );
  const logLinesLost = counter(
    "inv_log_lines_lost_total",
    "Lines of the log, audit included, that couldn't be written.",
    [],
  );
  let linesLostBefore = 0;
  const sessions = gauge("inv_sessions", "Current sign-in sessions of all servers with one Redis.", []);
  gauge("inv_build_info", "Always 1; the label is INV's version.", ["version"]).set(
    { version: packageFacts.version },
    1,
  );

  /** Metric updates of current calls. They run after an answer is sent, so that no call waits for them. */
  let pending: (() => void)[] = [];
  function count(): void {
    const due = pending;
    pending = [];
    for (const each of due) each();
  }
  const later = (each: () => void) => pending.push(each);

  return {
    company: {
      waits({ environment, operation }) {
        later(() => waiting.inc({ environment, operation }));
        return (waitedMs) =>
          later(() => {
            waiting.dec({ environment, operation });
            waitSeconds.observe({ environment, operation }, waitedMs / 1_000);
          });
      },
      sent: ({ environment, operation }, status, tookMs) =>
        later(() => {
          serviceCalls.inc({ environment, operation, status });
          serviceSeconds.observe({ environment, operation }, tookMs / 1_000);
        }),
      rejected: ({ environment, operation }) => later(() => quotaRefusals.inc({ environment, operation })),
      away: ({ environment, operation }) => later(() => awayRefusals.inc({ environment, operation })),
      shared: (environment, items) => later(() => sharedItems.inc({ environment }, items)),
      quotaLeft: ({ environment, operation }, calls) =>
        later(() => quotaLeft.set({ environment, operation }, calls)),
    },
    certificateValidUntil: (ms) => certificateUntil.set(ms / 1_000),
    sessions: (all) => sessions.set(all),
    evicted: () => evictions.inc(),
    connectionRefused: () => connectionsRefused.inc(),
    silenceLeft: (read) => (readSilence = read),
    tokenAsked: (environment, status) =>
      later(() => serviceCalls.inc({ environment, operation: "token", status })),
    answered({ environment, operation, status, durationMs, failure }) {
      count();
      if (failure !== null) {
        pageCallFailures.inc({ environment, operation, by: failure.by, code: failure.code });
      }
      pageCalls.inc({ environment, operation, status });
      pageCallSeconds.observe({ environment, operation }, durationMs / 1_000);
    },
    contentType: register.contentType,
    text() {
      count();
      silence.set(Math.ceil(readSilence()));
      for (const [reason, isNow] of health.look()) degraded.set({ reason }, isNow ? 1 : 0);
      const lost = linesLost();
      logLinesLost.inc(lost - linesLostBefore);
      linesLostBefore = lost;
      return register.metrics();
    },
  };
}
