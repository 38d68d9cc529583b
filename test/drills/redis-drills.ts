/**
 * Faults of Redis or of the network to it. They start twenty seconds after the first call. By then the first minute's quota
 * is used, and a server that forgets this would use it again.
 */
import { startRedis } from "../helpers/redis-process";
import { type Bed, type Drill, readiness } from "./bed";
import type { ClusterOptions } from "./cluster";
import { documentedRedis, redisPassword, redisUser } from "./documented-redis";

/** The longest call, a minute, and the time until the first page calls again. */
const opensAgainWithinSeconds = 200;

export const redisDrills: readonly Drill[] = [
  {
    name: "killed",
    title: "Redis is killed, and returns 25 seconds later with its data",
    options: { redis: { arguments: ["--appendonly", "yes"] } },
    async run(bed) {
      await bed.at(20);
      await bed.cluster.redis?.crash();
      await staysReady(bed);
      await bed.at(45);
      await bed.cluster.redis?.restart();
      await opensAgain(bed);
    },
  },
  {
    name: "emptied",
    title: "Redis is restarted, and is empty",
    async run(bed) {
      await bed.at(20);
      await bed.cluster.redis?.restart();
      await opensAgain(bed);
    },
  },
  {
    name: "promoted",
    title: "Redis is replaced by a copy that lacks what was written last",
    async run(bed) {
      const { redis, servers } = bed.cluster;
      if (redis === null) return;
      const copy = await startRedis({ arguments: ["--replicaof", "127.0.0.1", String(redis.port)] });
      try {
        const isWhole = async () => (await copy.command("INFO", "replication")).includes("link_status:up");
        await bed.until("a copy", isWhole, 10);
        await copy.command("REPLICAOF", "NO", "ONE");
        await bed.at(15);
        for (const { pipe } of servers) pipe?.cut();
        for (const { pipe } of servers) pipe?.mend(copy.port);
        await opensAgain(bed);
        await bed.watch();
      } finally {
        await copy.kill();
      }
    },
  },
  {
    name: "stopped",
    title: "Redis stands still for ten seconds",
    async run(bed) {
      await bed.at(20);
      bed.cluster.redis?.pause();
      const halted = bed.at(30).then(() => bed.cluster.redis?.resume());
      await staysReady(bed);
      await halted;
      await opensAgain(bed);
    },
  },
  {
    name: "slow",
    title: "each answer of Redis comes 200 ms later",
    async run(bed) {
      await bed.at(10);
      for (const { pipe } of bed.cluster.servers) pipe?.delay(200);
      await bed.at(55);
      await opensAgain(bed);
      await bed.at(130);
      for (const { pipe } of bed.cluster.servers) pipe?.delay(0);
    },
  },
  {
    name: "full",
    title: "Redis is full for half a minute",
    run: (bed) => refuses(bed, ["maxmemory", "100000"], ["maxmemory", "0"]),
  },
  {
    name: "evicting",
    title: "Redis evicts keys, against several-servers.md, for half a minute",
    async run(bed) {
      const { redis } = bed.cluster;
      await bed.at(20);
      await redis?.command("CONFIG", "SET", "maxmemory-policy", "allkeys-random");
      await redis?.command("CONFIG", "SET", "maxmemory", "100000");
      await bed.at(50);
      await redis?.command("CONFIG", "SET", "maxmemory", "0");
      await opensAgain(bed);
    },
  },
  {
    name: "read-only",
    title: "Redis takes no writes for half a minute",
    run: (bed) => refuses(bed, ["min-replicas-to-write", "1"], ["min-replicas-to-write", "0"]),
  },
  {
    name: "cut-off",
    title: "one server hears nothing of Redis for 70 seconds, while two go on",
    async run(bed) {
      const [lonely, ...others] = bed.cluster.servers;
      if (lonely === undefined) return;
      const callsOfOthers = async () =>
        (await Promise.all(others.map((other) => other.calls()))).reduce((sum, calls) => sum + calls, 0);
      await bed.at(20);
      lonely.pipe?.silence();
      // The calls that it had sent are answered within ten seconds.
      await bed.at(35);
      const before = await lonely.calls();
      const othersBefore = await callsOfOthers();
      await bed.at(90);
      bed.check((await lonely.calls()) === before, "the one that was cut off sent calls");
      bed.check((await callsOfOthers()) > othersBefore, "the others sent nothing");
      bed.check((await readiness(lonely.origin)).startsWith("200"), "it is not ready any more");
      lonely.pipe?.mend();
      const back = async () => (await lonely.calls()) > before;
      const seconds = await bed.until("a call of the one that was cut off", back, 90);
      bed.fact(`took part again after ${seconds.toFixed(1)} s`);
    },
  },
  {
    name: "tls",
    title: "Redis with TLS, a user and a password, as docs/several-servers.md configures it",
    get options() {
      return securedRedis();
    },
    run: (bed) => bed.at(30),
  },
];

function securedRedis(): Partial<ClusterOptions> {
  const { options, certPath } = documentedRedis();
  return {
    redis: options,
    redisSettings: (port) => ({
      url: `rediss://127.0.0.1:${port}`,
      ca: certPath,
      user: "env:INV_REDIS_USER",
      password: "env:INV_REDIS_PASSWORD",
    }),
    variables: { INV_REDIS_USER: redisUser, INV_REDIS_PASSWORD: redisPassword },
  };
}

async function refuses(
  bed: Bed,
  setting: readonly [string, string],
  before: readonly [string, string],
): Promise<void> {
  // By then the first calls no longer count, and pages call again.
  await bed.at(50);
  await bed.cluster.redis?.command("CONFIG", "SET", ...setting);
  await staysReady(bed);
  await bed.at(80);
  await bed.cluster.redis?.command("CONFIG", "SET", ...before);
  await opensAgain(bed);
}

/** A load balancer must not remove all servers because of a fault that none of them can fix. */
async function staysReady(bed: Bed): Promise<void> {
  const [server] = bed.cluster.servers;
  const isSeen = async () => /^200.*degraded/.test(await readiness(server?.origin ?? ""));
  // If Redis answers with refusals, the next call of a page detects it.
  const seconds = await bed.until("a readiness that says so", isSeen, 28);
  bed.fact(`/readyz said 200 and "degraded" after ${seconds.toFixed(1)} s`);
}

async function opensAgain(bed: Bed): Promise<void> {
  await bed.untilNextCall(opensAgainWithinSeconds);
}
