/**
 * One template behind three servers (three minutes): forty people's pages over real HTTP, each call to the next of three
 * built servers that share a Redis. Three servers must make no more requests than one.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { startCluster } from "../drills/cluster";
import { lookAtRedis, workBetween } from "../drills/redis-look";

const [people, stores, items] = [40, 200, 25];

export async function measureThreeServers() {
  const cluster = await startCluster({ limit: 600, servers: 3, redis: {}, isStubQuick: true });
  try {
    const url = cluster.redis?.url ?? "";
    await cluster.opened();
    const before = (await cluster.stub()).arrivedAtMs.length;
    const redisBefore = await lookAtRedis(url);
    const pages = await cluster.openPages("template", null);
    let report = await pages.report();
    while (report.seconds.length < people) {
      await sleep(200);
      report = await pages.report();
    }
    const { arrivedAtMs, refused } = await cluster.stub();
    const redis = await lookAtRedis(url);
    const { right, seconds, statuses } = report;
    const calls = arrivedAtMs.length - before;
    const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    const mean = seconds.reduce((sum, each) => sum + each, 0) / seconds.length;
    const text = `## Three servers that are one

${people} people open one template of ${stores} stores x ${items} items within 10 s, over real HTTP, each call to the next of three
servers that share a Redis: ${calls} calls (${(calls / stores).toFixed(2)} x the ${stores} that one person needs), ${refused} refusals of the service,
${right} of ${people * stores * items} cells right, ${mean.toFixed(2)} s until a person's last cell in the mean, ${Math.max(...seconds).toFixed(2)} s for the slowest.

Of each of ${answers} answers to pages: ${workBetween(redisBefore.work, redis.work, answers)}. Then there lies in Redis:

${redis.lies.map((line) => `- ${line}`).join("\n")}
`;
    return { text, isHonoured: true };
  } finally {
    await cluster.close();
  }
}
