/**
 * Forty people behind one team's server, each with an engine of their own, on virtual time; beside it the same people
 * without the server, on the same quota. And the memory of an hour's worth of calls. Prints one JSON object.
 */
import { createEngine } from "../../src/engine/engine";
import type { Transport } from "../../src/api/transport";
import type { Environment } from "../../src/domain/environment";
import { createCompanyRelay } from "../helpers/company-relay";
import { createService } from "./service";
import { systemClock } from "./system-clock";
import { createVirtualLoop } from "./virtual-loop";

interface Person {
  readonly startsAtMs: number;
  readonly stores: readonly number[];
  readonly items: number;
}

interface Ended {
  readonly calls: number;
  readonly refusals: number;
  /** How long each waited for the last of their cells. */
  readonly seconds: readonly number[];
}

const people = 40;
const quota = 600;
const range = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

async function run(who: readonly Person[], way: "server" | "direct"): Promise<Ended> {
  const loop = createVirtualLoop();
  const service = createService(loop.clock, { quota, refused: new Set() });
  const relayed = createCompanyRelay({ clock: loop.clock, service: service.transport, limit: quota });
  const transport = way === "server" ? relayed : service.transport;
  const beganAtMs = loop.clock.now();
  const seconds: number[] = [];
  let left = who.length;
  who.forEach((person, index) => {
    loop.clock.setTimeout(() => {
      void open(person, transport).then(() => {
        seconds[index] = (loop.clock.now() - beganAtMs - person.startsAtMs) / 1_000;
        left -= 1;
      });
    }, person.startsAtMs);
  });

  function open({ stores, items }: Person, send: Transport): Promise<unknown> {
    const engine = createEngine({ clock: loop.clock, transport: send });
    const credentials = { consumerId: "bench", clientSecret: "bench" };
    engine.connect({
      environment: way === "server" ? { ...environment, pacedBy: "server" } : environment,
      credentials,
    });
    const cells = range(items).flatMap((item) => stores.map((storeNumber) => ({ storeNumber, item })));
    return Promise.allSettled(
      cells.map(({ storeNumber, item }) =>
        engine.item({
          storeNumber,
          itemType: "gtin",
          value: String(10_000_000 + item * 7).padStart(14, "0"),
        }),
      ),
    );
  }

  await loop.run(() => left === 0);
  return { calls: service.calls() - service.refusals(), refusals: service.refusals(), seconds };
}

const base = "https://bench.example";
const environment: Environment = {
  id: "team",
  label: "Team",
  kind: "production",
  tokenUrl: `${base}/token`,
  searchUrl: `${base}/search-items`,
  eventsUrl: `${base}/events`,
  quota: { search: quota, events: quota },
  credentials: "user",
};

const spread = (_: unknown, person: number) => (person * 10_000) / people;
const oneTemplate = range(people).map((person): Person => ({
  startsAtMs: spread(null, person),
  stores: range(200, 1_000),
  items: 25,
}));
const ownTemplates = range(people).map((person): Person => ({
  startsAtMs: spread(null, person),
  stores: range(200, 1_000 + person * 200),
  items: 25,
}));
const oneCell: readonly Person[] = [
  { startsAtMs: 0, stores: range(2_000, 1_000), items: 25 },
  ...[15_000, 45_000, 90_000].map((startsAtMs, index) => ({ startsAtMs, stores: [9_000 + index], items: 1 })),
];

/** Megabytes that stay, after each quarter of an hour's worth of calls. */
async function memory(): Promise<readonly number[]> {
  const loop = createVirtualLoop();
  const service = createService(loop.clock, { quota: null, refused: new Set() });
  const answer = await read(service.transport, loop);
  let nowMs = 0;
  const relay = createCompanyRelay({
    clock: { ...systemClock, now: () => nowMs },
    service: (request) =>
      request
        .text()
        .then((body) => new Response(request.url.endsWith("/token") ? answer.token : answer.to(body), json)),
    limit: 1_000_000,
    cacheBytes: 8_000_000,
  });
  const kept: number[] = [];
  for (const quarter of range(4)) {
    // A token lives a quarter of an hour.
    const granted = await relay(
      new Request(environment.tokenUrl, { method: "POST", headers: form, body: answer.form }),
    );
    const { access_token } = (await granted.json()) as { access_token: string };
    const headers = { ...answer.headers, authorization: `Bearer ${access_token}` };
    for (const call of range(9_000)) {
      const store = 10 + ((quarter * 9_000 + call) % 90_000);
      const body = JSON.stringify({ item_type: "gtin", store_nbr: store, item_type_values: answer.gtins });
      const response = await relay(new Request(environment.searchUrl, { method: "POST", headers, body }));
      await response.arrayBuffer();
      nowMs += 100;
      // Requests and signals are let go of in a turn of their own.
      if (call % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 100));
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    kept.push((heapUsed + external) / 1_000_000);
  }
  return kept;
}

const form = { "content-type": "application/x-www-form-urlencoded" };
const json = { headers: { "content-type": "application/json" } };

async function read(service: Transport, loop: ReturnType<typeof createVirtualLoop>) {
  const gtins = range(10).map((item) => String(10_000_000 + item * 7).padStart(14, "0"));
  const body = JSON.stringify({ item_type: "gtin", store_nbr: 1_000, item_type_values: gtins });
  let text = "";
  void service(new Request(environment.searchUrl, { method: "POST", body })).then(async (response) => {
    text = await response.text();
  });
  await loop.run(() => text !== "");
  return {
    gtins,
    token: '{"access_token":"bench","expires_in":900}',
    form: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: "bench",
      client_secret: "s",
    }).toString(),
    headers: {
      "wm_consumer.id": "bench",
      "inv-max-age": "60",
    },
    to: (asked: string) => text.replace('"store_nbr":1000', /"store_nbr":\d+/.exec(asked)?.[0] ?? ""),
  };
}

async function main(): Promise<void> {
  const results = {
    oneTemplate: { server: await run(oneTemplate, "server"), direct: await run(oneTemplate, "direct") },
    ownTemplates: { server: await run(ownTemplates, "server"), direct: await run(ownTemplates, "direct") },
    oneCell: { server: await run(oneCell, "server"), direct: await run(oneCell, "direct") },
    memory: await memory(),
  };
  process.stdout.write(JSON.stringify(results));
}

// `memory` alone is quick.
void (process.argv[2] === "memory"
  ? memory().then((kept) => process.stdout.write(JSON.stringify(kept)))
  : main());
