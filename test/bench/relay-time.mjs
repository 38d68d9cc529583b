/**
 * The server's own time: 50 calls a second over real HTTP on this machine, to a service that answers at once, directly
 * and through the built server, in turns of two seconds so that a busy machine slows both alike. Every call asks for a
 * store that was not asked for before, so that none is answered from memory.
 */
import { fork, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build, root } from "../../src/start/prepare.mjs";

const callsPerSecond = 50;
const turnMs = 2_000;
const turns = 15;
const gtins = Array.from({ length: 25 }, (_, item) => String(10_000_000 + item * 7).padStart(14, "0"));

/** Milliseconds of each call, by way and turn, and how many did not succeed. */
export async function measureRelayTime(compiled) {
  build({ only: "server" });
  const folder = mkdtempSync(join(tmpdir(), "inv-bench-"));
  const service = fork(join(compiled, "test/bench/loopback-service.js"), ["instant"], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  let server = null;
  try {
    const port = await new Promise((resolve) => service.once("message", resolve));
    const direct = `http://127.0.0.1:${port}`;
    const [tokenUrl, searchUrl, eventsUrl] = ["token", "search-items", "events"].map(
      (it) => `${direct}/${it}`,
    );
    const quota = { search: 100_000, events: 100_000 };
    const bench = { id: "bench", label: "Bench", kind: "sandbox", tokenUrl, searchUrl, eventsUrl, quota };
    writeFileSync(join(folder, "inv.json"), JSON.stringify({ environments: [bench] }));
    const args = [join(root, "dist/server.js"), "--unattended", "--config", join(folder, "inv.json")];
    server = spawn(process.execPath, args, {
      env: { ...process.env, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const relay = `${await addressOf(server)}/relay/bench`;
    return await inTurns({ direct, server: relay });
  } finally {
    server?.kill();
    service.kill();
    rmSync(folder, { recursive: true });
  }
}

async function inTurns(ways) {
  const times = { direct: [], server: [], failed: 0 };
  const token = await fetch(`${ways.server}/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "grant_type=client_credentials&client_id=bench&client_secret=bench",
  });
  const { access_token } = await token.json();
  let store = 10;
  const call = async (base) => {
    const body = JSON.stringify({ item_type: "gtin", store_nbr: store++, item_type_values: gtins });
    const beganAtMs = performance.now();
    const response = await fetch(`${base}/search-items`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${access_token}`,
        "wm_consumer.id": "bench",
        "content-type": "application/json",
        "inv-page": "bench-page",
        "inv-max-age": "60",
      },
      body,
    });
    await response.arrayBuffer();
    if (!response.ok) times.failed += 1;
    return performance.now() - beganAtMs;
  };
  // One round of each settles the compiler and the connections.
  for (let turn = -1; turn < turns; turn += 1) {
    for (const [way, base] of Object.entries(ways)) {
      const taken = await oneTurn(() => call(base));
      if (turn >= 0) times[way].push(taken);
    }
  }
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

Milliseconds of a call of 25 items to a service that answers at once, over real HTTP on one machine, ${callsPerSecond} calls a
second, ${times.direct.flat().length} each way in turns of two seconds; ${times.failed} failed. Times move with the machine, and with what else it does.

| | direct | server | over direct |
| --- | ---: | ---: | ---: |
${rows.join("\n")}
`;
}

function row(name, { direct, server }, figure) {
  const [a, b] = [figure(direct), figure(server)];
  return `| ${[name, ...[a, b, b - a].map((ms) => ms.toFixed(2))].join(" | ")} |`;
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1];
}
