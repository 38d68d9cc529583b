/**
 * One template behind three servers (`node test/bench/three-servers.mjs`, three minutes): forty people's pages over real HTTP,
 * each call to the next of three built servers that share a Redis. What one server asks the service once, three
 * ask once.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "../../src/start/prepare.mjs";
import { compileBench } from "./compile.mjs";

const [people, stores, items] = [40, 200, 25];

/** Calls that arrived at the service, refusals, cells that are right, and each person's seconds. */
export async function measureThreeServers() {
  build();
  const compiled = createRequire(import.meta.url);
  const drills = join(compileBench(), "test/drills");
  const { startCluster } = compiled(join(drills, "cluster.js"));
  const { lookAtRedis, workBetween } = compiled(join(drills, "redis-look.js"));
  const cluster = await startCluster({ limit: 600, servers: 3, redis: {}, isStubQuick: true });
  try {
    await cluster.opened();
    const before = (await cluster.stub()).arrivedAtMs.length;
    const redisBefore = await lookAtRedis(cluster.redis.url);
    const pages = await cluster.openPages("template", null);
    let report = await pages.report();
    while (report.seconds.length < people) {
      await sleep(200);
      report = await pages.report();
    }
    const { arrivedAtMs, refused } = await cluster.stub();
    const { work, lies } = await lookAtRedis(cluster.redis.url);
    const { right, seconds, statuses } = report;
    const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    const redis = workBetween(redisBefore.work, work, answers);
    return { calls: arrivedAtMs.length - before, refused, right, seconds, answers, redis, lies };
  } finally {
    await cluster.close();
  }
}

/** The page's section about it. */
export function threeServersSection({ calls, refused, right, seconds, answers, redis, lies }) {
  const mean = seconds.reduce((sum, each) => sum + each, 0) / seconds.length;
  return `## Three servers that are one

${people} people open one template of ${stores} stores x ${items} items within 10 s, over real HTTP, each call to the next of three
servers that share a Redis: ${calls} calls (${(calls / stores).toFixed(2)} x the ${stores} that one person needs), ${refused} refusals of the service,
${right} of ${people * stores * items} cells right, ${mean.toFixed(2)} s until a person's last cell in the mean, ${Math.max(...seconds).toFixed(2)} s for the slowest.

Of each of ${answers} answers to pages: ${redis}. Then there lies in Redis:

${lies.map((line) => `- ${line}`).join("\n")}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(threeServersSection(await measureThreeServers()));
}
