/**
 * The server's own time (`node test/bench/relay-time.mjs`, two minutes): 50 calls a second over real HTTP on this
 * machine, to a service that answers at once, directly, through a pipe of bytes, a bare proxy and the built server, in
 * turns of two seconds so that a busy machine slows all alike. Each of them has a process of its own. Every call asks for a
 * store that was not asked for before, so that none is answered from memory. What the server adds is judged over the
 * bare proxy of the same run, which cannot be done without: whatever else the machine does, it does to both.
 */
import { fork, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Agent, request } from "undici";
import { build, root } from "../../src/start/prepare.mjs";
import { cpuPath, gtins } from "./relay-ends.mjs";

const callsPerSecond = 50;
const turnMs = 2_000;
const turns = 15;
/** The compiler takes about so many to settle. */
const warmTurns = 3;
/** Milliseconds that the server may add to a bare proxy's. */
const limits = { median: 0.6, p99: 4 };
const ends = fileURLToPath(new URL("relay-ends.mjs", import.meta.url));

/** Milliseconds of each call, by way and turn, how many did not succeed, and the size of an answer. */
export async function measureRelayTime() {
  build({ only: "server" });
  const folder = mkdtempSync(join(tmpdir(), "inv-bench-"));
  const children = [];
  try {
    const direct = await startEnd(children, "service");
    const pipe = await startEnd(children, "pipe", direct);
    const floor = await startEnd(children, "floor", direct);
    const server = await startServer(children, folder, direct);
    const spent = async () => ({
      floor: await secondsOf(floor, cpuPath),
      server: await secondsOf(server, "/metrics"),
    });
    return await inTimeSlices({ direct, pipe, floor, server: `${server}/relay/bench` }, spent);
  } finally {
    for (const child of children) child.kill();
    rmSync(folder, { recursive: true });
  }
}

export async function startEnd(children, ...args) {
  const child = fork(ends, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  children.push(child);
  return `http://127.0.0.1:${await new Promise((resolve) => child.once("message", resolve))}`;
}

export async function startServer(children, folder, service, callsPerMinute = 100_000) {
  const [tokenUrl, searchUrl, eventsUrl] = ["token", "search-items", "events"].map(
    (it) => `${service}/${it}`,
  );
  const quota = { search: callsPerMinute, events: callsPerMinute };
  const bench = { id: "bench", label: "Bench", kind: "sandbox", tokenUrl, searchUrl, eventsUrl, quota };
  writeFileSync(join(folder, "inv.json"), JSON.stringify({ environments: [bench] }));
  const args = [join(root, "dist/server.js"), "--unattended", "--config", join(folder, "inv.json")];
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
  const token = await request(`${ways.server}/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "grant_type=client_credentials&client_id=bench&client_secret=bench",
    dispatcher,
  });
  const { access_token } = await token.body.json();
  let store = 10;
  const call = async (base) => {
    const text = JSON.stringify({ item_type: "gtin", store_nbr: store++, item_type_values: gtins });
    const headers = {
      authorization: `Bearer ${access_token}`,
      "wm_consumer.id": "bench",
      "content-type": "application/json",
      "inv-max-age": "60",
    };
    const beganAtMs = performance.now();
    const url = `${base}/search-items`;
    const { statusCode, body } = await request(url, { method: "POST", headers, body: text, dispatcher });
    times.bytes = (await body.arrayBuffer()).byteLength;
    if (statusCode !== 200) times.failed += 1;
    return performance.now() - beganAtMs;
  };
  let before = null;
  for (let turn = -warmTurns; turn < turns; turn += 1) {
    if (turn === 0) before = await spent();
    for (const [way, base] of Object.entries(ways)) {
      const taken = await oneTurn(() => call(base));
      if (turn >= 0) times[way].push(taken);
    }
  }
  await dispatcher.close();
  const after = await spent();
  const perCall = (way) => ((after[way] - before[way]) * 1_000) / times[way].flat().length;
  return { ...times, cpu: { floor: perCall("floor"), server: perCall("server") } };
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
    middle: (way) =>
      quantile(
        times[way].map((turn, index) => quantile(turn, share) - quantile(times.floor[index], share)),
        0.5,
      ),
  }));
  const rows = figures.map(({ name, all, middle }) => {
    const [direct, pipe, floor, server] = ["direct", "pipe", "floor", "server"].map(all);
    const over = server - floor;
    const verdict = over <= limits[name] ? "held" : "not held";
    const cells = [direct, pipe - direct, floor - direct, over, middle("server")].map((value) =>
      value.toFixed(2),
    );
    return `| ${[name, ...cells, `${limits[name]}: ${verdict}`].join(" | ")} |`;
  });
  const { floor, server } = times.cpu;
  return `## The server's own time

Milliseconds of a call of 100 items (${Math.round(times.bytes / 1_000)} kB of records) to a service that answers at once, over real HTTP on one machine,
${callsPerSecond} calls a second, ${times.direct.flat().length} each way in turns of two seconds; ${times.failed} failed. The pipe hands on bytes without reading
HTTP, the floor is a bare proxy through undici that only hands on. What INV adds is judged over the floor of the same run,
by all calls; beside it the difference in the middle one of the turns.

| | direct | pipe over direct | floor over direct | server over floor | in the middle turn | may be |
| --- | ---: | ---: | ---: | ---: | ---: | --- |
${rows.join("\n")}

Processor time of a call: ${floor.toFixed(2)} ms of the floor, ${server.toFixed(2)} ms of the server.
`;
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(relayTimeSection(await measureRelayTime()));
}
