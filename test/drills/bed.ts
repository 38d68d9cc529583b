/**
 * The common part of every drill: it starts forty people's pages and counts time from their first call at the service. At the
 * end it judges what the service received and how the cells ended.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { fetch } from "undici";
import { type Cluster, type ClusterOptions, type Pages, startCluster } from "./cluster";
import type { Load, PagesReport } from "./pages";

export interface Drill {
  readonly name: string;
  readonly title: string;
  readonly options?: Partial<ClusterOptions>;
  /** Returns what the drill needs and this machine lacks. In that case the drill is skipped. */
  readonly lacks?: () => string | null;
  /** Null for no pages but the drill's own. */
  readonly load?: Load | null;
  /** Runs beside the pages' work. Resolves when the fault is over and its effect was seen. */
  run(bed: Bed): Promise<void>;
  /** Opens what the pages call instead of calling the servers in turn. */
  openBalancer?(cluster: Cluster): Promise<Balancer>;
}

export interface Balancer {
  readonly origin: string;
  /** File of the certificate's authority. */
  readonly caPath: string;
  close(): void;
}

export interface Bed {
  readonly cluster: Cluster;
  /** Null if the drill has its own pages. */
  readonly pages: Pages | null;
  /** Waits until this many seconds after the first call at the service. */
  at(second: number): Promise<void>;
  /** Returns the seconds until the condition is true. If it takes longer than `withinSeconds`, the drill fails. */
  until(what: string, condition: () => Promise<boolean>, withinSeconds: number): Promise<number>;
  /** Waits until the next call arrives at the service; reports how long it took. */
  untilNextCall(withinSeconds: number): Promise<void>;
  /** Waits for more than a minute, so that the effects of a fault are in their own window. */
  watch(): Promise<void>;
  check(condition: boolean, otherwise: string): void;
  fact(text: string): void;
}

export interface Ended {
  readonly faults: readonly string[];
  readonly facts: readonly string[];
  /** Seconds from the end of the fault until the service received a call again. Null if the drill doesn't wait for it. */
  readonly nextCallSeconds: number | null;
  readonly busiest: number;
  readonly limit: number;
  readonly refused: number;
  readonly calls: number;
  readonly seconds: number;
  readonly pages: PagesReport | null;
}

/** Calls a minute: few enough to delay forty people all the time, and to run three drills at once. */
const limit = 120;
/** A new Redis opens after the longest call plus a minute. */
const firstCallWithinSeconds = 240;

export async function runDrill(drill: Drill): Promise<Ended> {
  const cluster = await startCluster({ limit, servers: 3, redis: {}, ...drill.options });
  let balancer: Balancer | null = null;
  const faults: string[] = [];
  const facts: string[] = [];
  const beganAtMs = performance.now();
  const secondsSince = (ms: number) => (performance.now() - ms) / 1_000;
  const until: Bed["until"] = async (what, condition, withinSeconds) => {
    const fromMs = performance.now();
    while (!(await condition())) {
      if (secondsSince(fromMs) > withinSeconds) {
        faults.push(`${what}: not within ${withinSeconds} s`);
        break;
      }
      await sleep(50);
    }
    return secondsSince(fromMs);
  };
  const callCount = async () => (await cluster.stub()).arrivedAtMs.length;
  const nextCall = async (withinSeconds: number) => {
    const before = await callCount();
    return until("the next call", async () => (await callCount()) > before, withinSeconds);
  };
  let nextCallSeconds: number | null = null;
  const watch = () => sleep(65_000);
  try {
    balancer = (await drill.openBalancer?.(cluster)) ?? null;
    const { load = "sheets" } = drill;
    const pages = load === null ? null : await cluster.openPages(load, balancer);
    if (pages !== null) await nextCall(firstCallWithinSeconds);
    const firstAtMs = performance.now();
    const at = (second: number) => sleep(Math.max(0, firstAtMs + second * 1_000 - performance.now()));
    await drill.run({
      cluster,
      pages,
      at,
      until,
      async untilNextCall(withinSeconds) {
        nextCallSeconds = await nextCall(withinSeconds);
      },
      watch,
      check(condition, otherwise) {
        if (!condition) faults.push(otherwise);
      },
      fact: (text) => void facts.push(text),
    });
    if (pages !== null) await watch();
    const { arrivedAtMs, ofConsumers, refused } = await cluster.stub();
    const report = (await pages?.report()) ?? null;
    const busiest = Math.max(...ofConsumers.map(busiestMinute));
    if (busiest > cluster.options.limit) faults.push(`${busiest} calls within 60 s`);
    if (refused > 0) faults.push(`${refused} refusals (429) of the service`);
    if ((report?.wrong ?? 0) > 0) faults.push(`${report?.wrong ?? 0} cells with a wrong value`);
    for (const [why, count] of Object.entries(report?.ended ?? {})) {
      faults.push(`${count} cells ended: ${why}`);
    }
    for (const [index, { output }] of cluster.servers.entries()) faults.push(...errorsOf(output(), index));
    return {
      faults,
      facts,
      nextCallSeconds,
      busiest,
      limit: cluster.options.limit,
      refused,
      calls: arrivedAtMs.length,
      seconds: secondsSince(beganAtMs),
      pages: report,
    };
  } finally {
    balancer?.close();
    await cluster.close();
  }
}

/** The most arrivals within any 60 s. */
function busiestMinute(arrivedAtMs: readonly number[]): number {
  let busiest = 0;
  let from = 0;
  arrivedAtMs.forEach((atMs, index) => {
    while ((arrivedAtMs[from] ?? atMs) <= atMs - 60_000) from += 1;
    busiest = Math.max(busiest, index - from + 1);
  });
  return busiest;
}

/** Log lines of level `error` and above, and other output, such as the last words of a process. */
function errorsOf(output: string, server: number): readonly string[] {
  const lines = output.split("\n");
  const first = lines.findIndex((line) => line.includes('"level":50') || /^\w*Error:/.test(line));
  return first < 0
    ? []
    : [
        `server ${server} said: ${lines
          .slice(first, first + 6)
          .join(" | ")
          .slice(0, 900)}`,
      ];
}

/** The readiness that a load balancer receives. */
export async function readiness(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/readyz`).catch(() => null);
  return answer === null ? "closed" : `${answer.status} ${(await answer.text()).trim().slice(0, 60)}`;
}
