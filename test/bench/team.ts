/**
 * Forty people open one template within ten seconds: INV's pages over real HTTP, each call to the next of three built servers,
 * which share a Redis.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { startCluster } from "../drills/cluster";
import { hasRedis } from "../helpers/redis-process";

export interface TeamResult {
  readonly requests: number;
  readonly answers: number;
  readonly cellsRight: number;
  readonly cellsWithout: number;
}

export const people = 40;
export const templateStores = 200;

/** Returns null if there is no redis-server. */
export async function measureTeam(): Promise<TeamResult | null> {
  if (!hasRedis()) return null;
  const cluster = await startCluster({ limit: 600, servers: 3, people, redis: {}, isStubQuick: true });
  try {
    await cluster.opened();
    const before = (await cluster.stub()).arrivedAtMs.length;
    const pages = await cluster.openPages({ stores: templateStores }, null);
    let report = await pages.report();
    while (report.seconds.length < people) {
      await sleep(500);
      report = await pages.report();
    }
    const sum = (counts: Readonly<Record<string, number>>) =>
      Object.values(counts).reduce((all, count) => all + count, 0);
    return {
      requests: (await cluster.stub()).arrivedAtMs.length - before,
      answers: sum(report.statuses),
      cellsRight: report.right,
      cellsWithout: report.wrong + sum(report.ended),
    };
  } finally {
    await cluster.close();
  }
}
