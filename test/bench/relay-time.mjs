/**
 * The server's own time (`node test/bench/relay-time.mjs`, two minutes): 50 calls a second over real HTTP on this
 * machine, to a service that answers at once, directly, through a pipe of bytes, a bare proxy and the built server, in
 * turns of two seconds so that a busy machine slows all alike. Each of them has a process of its own. Every call asks for a
 * store that was not asked for before, so that none is answered from memory.
 */
import { fork, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Agent, request } from "undici";
import { build, root } from "../../src/start/prepare.mjs";
import { gtins } from "./relay-ends.mjs";

const callsPerSecond = 50;
const turnMs = 2_000;
const turns = 15;
/** The compiler takes about so many to settle. */
const warmTurns = 3;
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
    return await inTurns({ direct, pipe, floor, server: `${server}/relay/bench` });
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

async function inTurns(ways) {
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
  for (let turn = -warmTurns; turn < turns; turn += 1) {
    for (const [way, base] of Object.entries(ways)) {
      const taken = await oneTurn(() => call(base));
      if (turn >= 0) times[way].push(taken);
    }
  }
  await dispatcher.close();
  return times;
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

/** The page's section about it. Beside all turns, the quietest of each way: whatever else the machine does only adds. */
export function relayTimeSection(times) {
  const within = times.server.filter(
    (taken, turn) => quantile(taken, 0.99) - quantile(times.direct[turn], 0.99) <= 5,
  ).length;
  const rows = [
    ["median", 0.5],
    ["p99", 0.99],
  ].flatMap(([name, share]) => [
    row(`${name} of all calls`, times, (taken) => quantile(taken.flat(), share)),
    row(`${name} of the quietest turn`, times, (taken) =>
      Math.min(...taken.map((turn) => quantile(turn, share))),
    ),
  ]);
  return `## The server's own time

Milliseconds of a call of 100 items (${Math.round(times.bytes / 1_000)} kB of records) to a service that answers at once, over real HTTP on one machine,
${callsPerSecond} calls a second, ${times.direct.flat().length} each way in turns of two seconds; ${times.failed} failed. The pipe hands on bytes without reading
HTTP, the floor is a bare proxy that only hands on. Times move with the machine, and with what else it does.

| | direct | pipe over direct | floor over direct | server over direct | ratio of the last two |
| --- | ---: | ---: | ---: | ---: | ---: |
${rows.join("\n")}

The server's p99 was within 5 ms over the direct one of the same turn in ${within} of ${times.server.length} turns.
`;
}

function row(name, { direct, pipe, floor, server }, figure) {
  const [base, ...others] = [direct, pipe, floor, server].map(figure);
  const over = others.map((value) => value - base);
  const cells = [base, ...over, over[2] / over[1]].map((value) => value.toFixed(2));
  return `| ${[name, ...cells].join(" | ")} |`;
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(relayTimeSection(await measureRelayTime()));
}
