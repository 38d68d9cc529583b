/**
 * The server's own time (`node test/bench/relay-time.mjs`, two minutes): 50 calls a second over real HTTP on this
 * machine, to a service that answers at once, directly, through a pipe of bytes, a bare proxy and the built server, in
 * turns of two seconds so that a busy machine slows all alike. Each of them has a process of its own. Every call asks for a
 * store that was not asked for before, so that none is answered from memory. What the server adds is judged over the
 * bare proxy of the same run, which cannot be done without: whatever else the machine does, it does to both. What Redis adds is
 * judged over the server without.
 */
import { fork, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Agent, request } from "undici";
import { build, root } from "../../src/start/prepare.mjs";
import { compileBench } from "./compile.mjs";
import { cpuPath, gtins } from "./relay-ends.mjs";

const callsPerSecond = 50;
const turnMs = 2_000;
const turns = 15;
/** The compiler takes about so many to settle. */
const warmTurns = 3;
/** Milliseconds that the server may add to a bare proxy's. */
const limits = { median: 0.6, p99: 4 };
/** And with Redis to itself without. */
const redisLimits = { median: 1.5 };
const ends = fileURLToPath(new URL("relay-ends.mjs", import.meta.url));

/** Milliseconds of each call, by way and turn, how many did not succeed, and the size of an answer. */
export async function measureRelayTime() {
  build({ only: "server" });
  const folder = mkdtempSync(join(tmpdir(), "inv-bench-"));
  const children = [];
  const { startRedis } = createRequire(import.meta.url)(
    join(compileBench(), "test/helpers/redis-process.js"),
  );
  const redis = await startRedis();
  try {
    const direct = await startEnd(children, "service");
    const pipe = await startEnd(children, "pipe", direct);
    const floor = await startEnd(children, "floor", direct);
    const server = await startServer(children, folder, direct);
    const withRedis = await startServer(children, folder, direct, { redis: { url: redis.url } });
    const spent = async () => ({
      floor: await secondsOf(floor, cpuPath),
      server: await secondsOf(server, "/metrics"),
      redis: await secondsOf(withRedis, "/metrics"),
    });
    const [relay, relayWithRedis] = [server, withRedis].map((origin) => `${origin}/relay/bench`);
    return await inTimeSlices({ direct, pipe, floor, server: relay, redis: relayWithRedis }, spent);
  } finally {
    await redis.kill();
    for (const child of children) child.kill();
    rmSync(folder, { recursive: true });
  }
}

export async function startEnd(children, ...args) {
  const child = fork(ends, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  children.push(child);
  return `http://127.0.0.1:${await new Promise((resolve) => child.once("message", resolve))}`;
}

export async function startServer(children, folder, service, { callsPerMinute = 100_000, redis } = {}) {
  const [tokenUrl, searchUrl, eventsUrl] = ["token", "search-items", "events"].map(
    (it) => `${service}/${it}`,
  );
  const quota = { search: callsPerMinute, events: callsPerMinute };
  const bench = { id: "bench", label: "Bench", kind: "sandbox", tokenUrl, searchUrl, eventsUrl, quota };
  const config = join(folder, redis === undefined ? "inv.json" : "inv-redis.json");
  writeFileSync(config, JSON.stringify({ environments: [bench], redis }));
  const args = [join(root, "dist/server.js"), "--unattended", "--config", config];
  const server = spawn(process.execPath, args, {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(server);
  return addressOf(server);
}

/** Of processor time: the figure alone, or the server's own among its others. */
async function secondsOf(origin, path) {
  const { body } = await request(`${origin}${path}`);
  const text = await body.text();
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1] ?? text);
}

async function inTimeSlices(ways, spent) {
  const times = { ...Object.fromEntries(Object.keys(ways).map((way) => [way, []])), failed: 0, bytes: 0 };
  const dispatcher = new Agent();
  const tokenOf = async (way) => {
    const token = await request(`${ways[way]}/token`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "grant_type=client_credentials&client_id=bench&client_secret=bench",
      dispatcher,
    });
    return (await token.body.json()).access_token;
  };
  const tokens = { server: await tokenOf("server"), redis: await tokenOf("redis") };
  let store = 10;
  const call = async (way) => {
    const text = JSON.stringify({ item_type: "gtin", store_nbr: store++, item_type_values: gtins });
    const headers = {
      authorization: `Bearer ${tokens[way] ?? ""}`,
      "wm_consumer.id": "bench",
      "content-type": "application/json",
      "inv-max-age": "60",
    };
    const beganAtMs = performance.now();
    const url = `${ways[way]}/search-items`;
    const { statusCode, body } = await request(url, { method: "POST", headers, body: text, dispatcher });
    times.bytes = (await body.arrayBuffer()).byteLength;
    if (statusCode !== 200) times.failed += 1;
    return performance.now() - beganAtMs;
  };
  // A Redis that nobody knows is used once no call can count that it does not know of.
  while ((await call("redis")) >= 0 && times.failed > 0) {
    times.failed = 0;
    await sleep(1_000);
  }
  let before = null;
  for (let turn = -warmTurns; turn < turns; turn += 1) {
    if (turn === 0) before = await spent();
    for (const way of Object.keys(ways)) {
      const taken = await oneTurn(() => call(way));
      if (turn >= 0) times[way].push(taken);
    }
  }
  await dispatcher.close();
  const after = await spent();
  const perCall = (way) => ((after[way] - before[way]) * 1_000) / times[way].flat().length;
  return { ...times, cpu: { floor: perCall("floor"), server: perCall("server"), redis: perCall("redis") } };
}

/** Calls leave on time, however long those before them take. */
async function oneTurn(call) {
  const beganAtMs = performance.now();
  const calls = [];
  for (let index = 0; index < (turnMs / 1_000) * callsPerSecond; index += 1) {
    await sleep(Math.max(0, beganAtMs + (index * 1_000) / callsPerSecond - performance.now()));
    calls.push(call());
  }
  return Promise.all(calls);
}

function addressOf(server) {
  return new Promise((resolve, reject) => {
    let printed = "";
    server.stdout.on("data", (chunk) => {
      printed = (printed + chunk).slice(-10_000);
      const address = /"address":"([^"]+)"/.exec(printed)?.[1];
      if (address !== undefined) resolve(address);
    });
    server.once("exit", (code) => reject(new Error(`The server ended with ${code}: ${printed}`)));
  });
}

/** The page's section about it. Beside all calls, the middle of the turns: what happens in one of them counts once. */
export function relayTimeSection(times) {
  const figures = Object.entries({ median: 0.5, p99: 0.99 }).map(([name, share]) => ({
    name,
    all: (way) => quantile(times[way].flat(), share),
    middle: (way, over) =>
      quantile(
        times[way].map((turn, index) => quantile(turn, share) - quantile(times[over][index], share)),
        0.5,
      ),
  }));
  const rows = figures.map(({ name, all, middle }) => {
    const [direct, pipe, floor, server] = ["direct", "pipe", "floor", "server"].map(all);
    const over = server - floor;
    const cells = [direct, pipe - direct, floor - direct, over, middle("server", "floor")].map((value) =>
      value.toFixed(2),
    );
    return `| ${[name, ...cells, verdict(over, limits[name])].join(" | ")} |`;
  });
  const redisRows = figures.map(({ name, all, middle }) => {
    const over = all("redis") - all("server");
    const cells = [over, middle("redis", "server")].map((value) => value.toFixed(2));
    return `| ${[name, ...cells, verdict(over, redisLimits[name])].join(" | ")} |`;
  });
  const { floor, server, redis } = times.cpu;
  return `## The server's own time

Milliseconds of a call of 100 items (${Math.round(times.bytes / 1_000)} kB of records) to a service that answers at once, over real HTTP on one machine,
${callsPerSecond} calls a second, ${times.direct.flat().length} each way in turns of two seconds; ${times.failed} failed. The pipe hands on bytes without reading
HTTP, the floor is a bare proxy through undici that only hands on. What INV adds is judged over the floor of the same run,
by all calls; beside it the difference in the middle one of the turns.

| | direct | pipe over direct | floor over direct | server over floor | in the middle turn | may be |
| --- | ---: | ---: | ---: | ---: | ---: | --- |
${rows.join("\n")}

Processor time of a call: ${floor.toFixed(2)} ms of the floor, ${server.toFixed(2)} ms of the server, ${redis.toFixed(2)} ms with Redis.

The same with a Redis on the same machine, over the server without, in the same run:

| | with Redis over without | in the middle turn | may be |
| --- | ---: | ---: | ---: |
${redisRows.join("\n")}
`;
}

function verdict(value, limit) {
  return limit === undefined ? "" : `${limit}: ${value <= limit ? "held" : "not held"}`;
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(relayTimeSection(await measureRelayTime()));
}
