/**
 * What every drill does beside its own fault: forty people's pages begin, time is counted from their first call at the
 * service, and in the end it is judged what the service saw and how the cells ended.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { fetch } from "undici";
import { type Cluster, type ClusterOptions, type Pages, startCluster } from "./cluster";
import type { Load, PagesReport } from "./pages";

export interface Drill {
  readonly name: string;
  readonly title: string;
  readonly options?: Partial<ClusterOptions>;
  /** Says what it needs and this machine lacks; then it is left out. */
  readonly lacks?: () => string | null;
  readonly load?: Load;
  /** Beside the pages' work; resolves when the fault is over and what it was for was seen. */
  run(bed: Bed): Promise<void>;
  /** What the pages go to, where it is not the servers in turns. */
  lead?(cluster: Cluster): Promise<Leader>;
}

export interface Leader {
  readonly origin: string;
  /** Of its certificate's authority. */
  readonly caPath: string;
  close(): void;
}

export interface Bed {
  readonly cluster: Cluster;
  readonly pages: Pages;
  /** That many seconds after the first call at the service. */
  at(second: number): Promise<void>;
  /** Seconds until it is so; what it is for is wrong where it is not within so many. */
  until(what: string, isSo: () => Promise<boolean>, withinSeconds: number): Promise<number>;
  /** Waits until the next call arrives at the service; reports how long it took. */
  untilNextCall(withinSeconds: number): Promise<void>;
  /** More than a minute, so that what a fault led to is in a window of its own. */
  watch(): Promise<void>;
  check(isSo: boolean, otherwise: string): void;
  fact(text: string): void;
}

export interface Ended {
  readonly faults: readonly string[];
  readonly facts: readonly string[];
  /** From the end of the fault until the service saw a call again; null where the drill doesn't wait for it. */
  readonly nextCallSeconds: number | null;
  readonly busiest: number;
  readonly limit: number;
  readonly refused: number;
  readonly calls: number;
  readonly seconds: number;
  readonly pages: PagesReport;
}

/** Calls a minute: enough for forty people to be held up all the time, few enough for three drills at once. */
const limit = 120;
/** A new Redis opens after the longest call and a minute. */
const firstCallWithinSeconds = 240;

export async function runDrill(drill: Drill): Promise<Ended> {
  const cluster = await startCluster({ limit, servers: 3, redis: {}, ...drill.options });
  let leader: Leader | null = null;
  const faults: string[] = [];
  const facts: string[] = [];
  const beganAtMs = performance.now();
  const secondsSince = (ms: number) => (performance.now() - ms) / 1_000;
  const until: Bed["until"] = async (what, isSo, withinSeconds) => {
    const fromMs = performance.now();
    while (!(await isSo())) {
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
    leader = (await drill.lead?.(cluster)) ?? null;
    const pages = await cluster.openPages(drill.load ?? "sheets", leader);
    await nextCall(firstCallWithinSeconds);
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
      check(isSo, otherwise) {
        if (!isSo) faults.push(otherwise);
      },
      fact: (text) => void facts.push(text),
    });
    await watch();
    const { arrivedAtMs, refused } = await cluster.stub();
    const report = await pages.report();
    const busiest = busiestMinute(arrivedAtMs);
    if (busiest > cluster.options.limit) faults.push(`${busiest} calls within 60 s`);
    if (refused > 0) faults.push(`${refused} refusals (429) of the service`);
    if (report.wrong > 0) faults.push(`${report.wrong} cells with a wrong value`);
    for (const [why, count] of Object.entries(report.ended)) faults.push(`${count} cells ended: ${why}`);
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
    leader?.close();
    await cluster.close();
  }
}

/** The most arrivals within any 60 s. */
export function busiestMinute(arrivedAtMs: readonly number[]): number {
  let busiest = 0;
  let from = 0;
  arrivedAtMs.forEach((atMs, index) => {
    while ((arrivedAtMs[from] ?? atMs) <= atMs - 60_000) from += 1;
    busiest = Math.max(busiest, index - from + 1);
  });
  return busiest;
}

/** Lines of the log from `error` on, and what is no line of it, such as the last words of a process. */
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

/** What a load balancer hears. */
export async function readiness(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/readyz`).catch(() => null);
  return answer === null ? "closed" : `${answer.status} ${(await answer.text()).trim().slice(0, 60)}`;
}
