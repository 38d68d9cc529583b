/**
 * The server's own time (two minutes): 50 calls a second over real HTTP on this machine, to a service that answers at once.
 * They go directly, through a bare proxy, through the built server, and through the server with Redis. Turns of two
 * seconds let a busy machine affect all equally. Each has its own process. Every call requests a new store, so that
 * no cache answers. The server is compared with the bare proxy of the same run, which nobody can do without: other work of
 * the machine affects both. The server with Redis is compared with the server without.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { startRedis } from "../helpers/redis-process";
import { startServer, type ServerProcess } from "../helpers/server-process";
import { tokenFrom } from "../helpers/token-from";
import { table } from "./figures";

const callsPerSecond = 50;
const turnMs = 2_000;
const turns = 15;
/** The compiler needs about this many turns to settle. */
const warmTurns = 3;
const ways = ["direct", "floor", "server", "redis"] as const;
type Way = (typeof ways)[number];
/** Milliseconds of each call; null for a failed call. */
type Times = Record<Way, (number | null)[]>;
/** Milliseconds that the server may add to a bare proxy, and the server with Redis to the server without. */
const most = { median: { server: 0.8, redis: 1.5 }, p99: { server: 5, redis: undefined } };
const account = { consumer_id: "bench", client_secret: "bench" };
const gtins = Array.from({ length: 100 }, (_, item) => String(10_000_000 + item * 7).padStart(14, "0"));

export async function measureRelayTime() {
  const folder = mkdtempSync(join(tmpdir(), "inv-bench-"));
  const redis = await startRedis();
  const direct = await startEnd("service");
  const floor = await startEnd("floor", direct);
  const servers = await Promise.all(
    [undefined, { url: redis.url }].map((shared) => startOver(direct, folder, shared)),
  );
  try {
    const [server = "", withRedis = ""] = servers.map(({ origin }) => origin);
    const origins = { direct, floor, server: `${server}/relay/bench`, redis: `${withRedis}/relay/bench` };
    const tokens = [server, withRedis].map((origin) => tokenFrom(origin, "bench", account));
    const call = createCalls(origins, { server: await tokens[0], redis: await tokens[1] });
    // A new Redis opens once no call that it doesn't know can still count.
    while ((await call("redis")) === null) await sleep(1_000);
    const ms: Times = { direct: [], floor: [], server: [], redis: [] };
    const spent = () => Promise.all(servers.map(processorMs));
    let before = await spent();
    for (let turn = -warmTurns; turn < turns; turn += 1) {
      if (turn === 0) before = await spent();
      for (const way of ways) {
        const taken = await oneTurn(() => call(way));
        if (turn >= 0) ms[way].push(...taken);
      }
    }
    const spentMs = (await spent()).map((after, index) => after - (before[index] ?? NaN));
    return { text: section(ms, spentMs), isHonoured: true };
  } finally {
    await redis.kill();
    for (const server of servers) await server.kill();
    rmSync(folder, { recursive: true });
  }
}

/** The child process ends with this one. */
async function startEnd(...args: readonly string[]): Promise<string> {
  const child = fork(join(__dirname, "relay-ends.js"), args);
  const [port] = (await once(child, "message")) as [number];
  return `http://127.0.0.1:${port}`;
}

function startOver(
  service: string,
  folder: string,
  redis?: { readonly url: string },
): Promise<ServerProcess> {
  const config = join(folder, redis ? "with-redis.json" : "inv.json");
  const [tokenUrl, searchUrl, eventsUrl] = ["token", "search-items", "events"].map(
    (it) => `${service}/${it}`,
  );
  const quota = { search: 100_000, events: 100_000 };
  const bench = { id: "bench", label: "Bench", kind: "sandbox", tokenUrl, searchUrl, eventsUrl, quota };
  writeFileSync(config, JSON.stringify({ environments: [bench], redis }));
  const folderOfBuild = join(process.cwd(), "dist");
  return startServer("server", { folder: folderOfBuild, arguments: ["--unattended", "--config", config] });
}

async function processorMs(server: ServerProcess): Promise<number> {
  const text = await server.metrics();
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]) * 1_000;
}

/** Milliseconds of a call; null for a failed call. */
function createCalls(origins: Readonly<Record<Way, string>>, tokens: Readonly<Partial<Record<Way, string>>>) {
  const dispatcher = new Agent();
  let store = 10;
  return async (way: Way): Promise<number | null> => {
    const body = JSON.stringify({ item_type: "gtin", store_nbr: store++, item_type_values: gtins });
    const headers = {
      authorization: `Bearer ${tokens[way] ?? ""}`,
      "wm_consumer.id": account.consumer_id,
      "content-type": "application/json",
      "inv-max-age": "60",
    };
    const beganAtMs = performance.now();
    const url = `${origins[way]}/search-items`;
    const answer = await request(url, { method: "POST", headers, body, dispatcher });
    await answer.body.arrayBuffer();
    return answer.statusCode === 200 ? performance.now() - beganAtMs : null;
  };
}

/** Calls leave on time, however long the earlier ones take. */
async function oneTurn<T>(call: () => Promise<T>): Promise<T[]> {
  const beganAtMs = performance.now();
  const calls: Promise<T>[] = [];
  for (let index = 0; index < (turnMs / 1_000) * callsPerSecond; index += 1) {
    await sleep(Math.max(0, beganAtMs + (index * 1_000) / callsPerSecond - performance.now()));
    calls.push(call());
  }
  return Promise.all(calls);
}

function section(ms: Times, spentMs: readonly number[]): string {
  const failed = Object.values(ms)
    .flat()
    .filter((each) => each === null).length;
  const rows = (["median", "p99"] as const).map((name) => {
    const of = (way: Way) => quantile(ms[way], name === "median" ? 0.5 : 0.99);
    const over = (way: Way, beside: Way, limit?: number) => {
      const value = of(way) - of(beside);
      const verdict = limit === undefined ? "" : `, may be ${limit}: ${value <= limit ? "held" : "not held"}`;
      return `${value.toFixed(2)}${verdict}`;
    };
    const { server, redis } = most[name];
    return [
      ...[name, of("direct").toFixed(2), over("floor", "direct"), over("server", "floor", server)],
      over("redis", "server", redis),
    ];
  });
  const [alone, withRedis] = spentMs.map((all) => (all / ms.server.length).toFixed(2));
  const head = ["", "direct", "floor over direct", "server over floor", "with Redis over without"];
  return `## The server's own time

Milliseconds of a call of 100 items to a service that answers at once, over real HTTP on one machine, ${callsPerSecond} calls a second,
${ms.direct.length} each way in turns of two seconds; ${failed} failed. The floor is a bare proxy through undici that only hands on.
What INV adds is judged over the floor of the same run, what a Redis on the same machine adds over the server without.

${table(head, rows)}

Processor time of a call: ${alone} ms of the server, ${withRedis} ms with Redis.
`;
}

/** Failed calls are reported separately. */
function quantile(all: readonly (number | null)[], share: number): number {
  const sorted = all.filter((each) => each !== null).sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? NaN;
}
