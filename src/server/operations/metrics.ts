/**
 * What the server counts, for Prometheus. By environment and operation; never by person, consumer, store or item.
 * docs/deploy.md says what each figure means; a test holds the two together.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import packageFacts from "../../../package.json";
import type { Failure } from "../answer";
import type { CompanyObserver } from "../shared-quota/company";

export interface Metrics {
  /** What the company's parts tell. */
  readonly company: CompanyObserver;
  readonly redis: { setAway(isAway: boolean): void };
  certificateValidUntil(ms: number): void;
  sessions(count: number): void;
  /** The cache of this server removed an answer to make room. */
  readonly evicted: () => void;
  /** The service was asked for a token, and answered with this status (502 and 504: it did not). */
  tokenAsked(environment: string, status: number): void;
  /** A page's call was answered. */
  answered(call: AnsweredCall): void;
  readonly contentType: string;
  text(): Promise<string>;
}

export interface AnsweredCall {
  /** The request's, which its page was told. */
  readonly id: string;
  readonly environment: string;
  readonly operation: "token" | "search" | "events";
  readonly status: number;
  readonly durationMs: number;
  /** Null where it was answered as it should be. */
  readonly failure: Failure | null;
}

const byOperation = ["environment", "operation"] as const;
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createMetrics(): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const pageCalls = new Counter({
    name: "inv_page_calls_total",
    help: "Calls of pages that were answered, by status.",
    labelNames: [...byOperation, "status"],
    registers,
  });
  const pageCallFailures = new Counter({
    name: "inv_page_call_failures_total",
    help: "Calls of pages that failed, by who refused them and why.",
    labelNames: [...byOperation, "by", "code"],
    registers,
  });
  const pageCallSeconds = new Histogram({
    name: "inv_page_call_seconds",
    help: "How long pages waited for an answer, the service's own time included.",
    labelNames: byOperation,
    buckets: seconds,
    registers,
  });
  const serviceCalls = new Counter({
    name: "inv_service_calls_total",
    help: "Calls that were sent to the service, by status.",
    labelNames: [...byOperation, "status"],
    registers,
  });
  const serviceSeconds = new Histogram({
    name: "inv_service_call_seconds",
    help: "How long the service took to answer a lookup, without INV's own waiting.",
    labelNames: byOperation,
    buckets: seconds,
    registers,
  });
  const waiting = new Gauge({
    name: "inv_calls_waiting",
    help: "Calls that wait for their turn now.",
    labelNames: byOperation,
    registers,
  });
  const evictions = new Counter({
    name: "inv_cache_evictions_total",
    help: "Answers that this server removed from its memory to make room. Not counted with Redis.",
    registers,
  });
  const sharedItems = new Counter({
    name: "inv_shared_items_total",
    help: "Items that were answered by other calls than their own.",
    labelNames: ["environment"],
    registers,
  });
  const refusals = new Counter({
    name: "inv_quota_refusals_total",
    help: "Calls that INV sent back because the company's quota is spent.",
    labelNames: byOperation,
    registers,
  });
  const awayRefusals = new Counter({
    name: "inv_memory_refusals_total",
    help: "Calls that INV sent back because Redis was away, or did not know what was sent before.",
    labelNames: byOperation,
    registers,
  });
  const waitSeconds = new Histogram({
    name: "inv_quota_wait_seconds",
    help: "How long calls were held for their turn.",
    labelNames: byOperation,
    buckets: seconds.filter((bound) => bound <= 2.5),
    registers,
  });
  const quotaLeft = new Gauge({
    name: "inv_quota_left_calls",
    help: "Calls the quota still allowed when the last call was answered.",
    labelNames: byOperation,
    registers,
  });
  const redisAway = new Gauge({
    name: "inv_redis_away",
    help: "1 while Redis is configured and cannot be asked: calls wait for it. Else 0.",
    registers,
  });

  const certificateUntil = new Gauge({
    name: "inv_certificate_not_after_seconds",
    help: "When the server's own certificate expires, in seconds since 1970.",
    registers,
  });
  const sessions = new Gauge({
    name: "inv_sessions",
    help: "Sessions of people who are signed in, at all servers that share a Redis.",
    registers,
  });
  const build = new Gauge({
    name: "inv_build_info",
    help: "Always 1; the label is INV's version.",
    labelNames: ["version"],
    registers,
  });
  build.set({ version: packageFacts.version }, 1);

  /** Of calls under way. Counting takes its time, so it comes when an answer has left: no call waits for it. */
  let told: (() => void)[] = [];
  function count(): void {
    const counted = told;
    told = [];
    for (const each of counted) each();
  }

  return {
    company: {
      waits({ environment, operation }) {
        told.push(() => waiting.inc({ environment, operation }));
        return (waitedMs) =>
          void told.push(() => {
            waiting.dec({ environment, operation });
            waitSeconds.observe({ environment, operation }, waitedMs / 1_000);
          });
      },
      sent: ({ environment, operation }, status, tookMs) =>
        void told.push(() => {
          serviceCalls.inc({ environment, operation, status });
          serviceSeconds.observe({ environment, operation }, tookMs / 1_000);
        }),
      rejected: ({ environment, operation }) =>
        void told.push(() => refusals.inc({ environment, operation })),
      away: ({ environment, operation }) =>
        void told.push(() => awayRefusals.inc({ environment, operation })),
      shared: (environment, items) => void told.push(() => sharedItems.inc({ environment }, items)),
      quotaLeft: ({ environment, operation }, calls) =>
        void told.push(() => quotaLeft.set({ environment, operation }, calls)),
    },
    sessions: (count) => sessions.set(count),
    certificateValidUntil: (ms) => certificateUntil.set(ms / 1_000),
    evicted: () => evictions.inc(),
    redis: { setAway: (isAway) => redisAway.set(isAway ? 1 : 0) },
    tokenAsked: (environment, status) =>
      void told.push(() => serviceCalls.inc({ environment, operation: "token", status })),
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
      return register.metrics();
    },
  };
}
