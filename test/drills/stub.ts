/**
 * The service for a drill, in its own process. It takes as long as a real service may, records on its own clock when each
 * lookup arrived, and refuses calls above the quota. It tells its parent the port, and on request what it recorded.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerText } from "../bench/service";

export interface StubReport {
  /** Arrival times of all lookups, including refused ones. */
  readonly arrivedAtMs: readonly number[];
  /** The same of each consumer, which has a quota of its own. */
  readonly ofConsumers: readonly (readonly number[])[];
  readonly refused: number;
  readonly nowMs: number;
}

interface Asked {
  readonly store_nbr: number;
  readonly item_type_values: readonly string[];
}

const limit = Number(process.argv[2]);
const isQuick = process.argv[3] === "quick";
const windowMs = 60_000;
const arrivedAtMs: number[] = [];
const consumers = new Map<string, { readonly arrivedAtMs: number[]; readonly takenAtMs: number[] }>();
let refused = 0;
let tokens = 0;

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const atMs = performance.now();
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => answer({ request, response, atMs }, Buffer.concat(chunks).toString()));
});

function answer(
  {
    request,
    response,
    atMs,
  }: { readonly request: IncomingMessage; readonly response: ServerResponse; readonly atMs: number },
  body: string,
): void {
  const send = (status: number, text: string) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(text);
  };
  if (request.url === "/token") {
    tokens += 1;
    send(200, JSON.stringify({ access_token: `of-the-service-${tokens}`, expires_in: 900 }));
    return;
  }
  arrivedAtMs.push(atMs);
  const name = String(request.headers["wm_consumer.id"]);
  const consumer = consumers.get(name) ?? { arrivedAtMs: [], takenAtMs: [] };
  consumers.set(name, consumer);
  consumer.arrivedAtMs.push(atMs);
  const { takenAtMs } = consumer;
  while ((takenAtMs[0] ?? atMs) <= atMs - windowMs) takenAtMs.shift();
  if (takenAtMs.length >= limit) {
    refused += 1;
    send(429, "{}");
    return;
  }
  takenAtMs.push(atMs);
  const { store_nbr: store, item_type_values: gtins } = JSON.parse(body) as Asked;
  setTimeout(() => send(200, answerText(store, gtins)), isQuick ? 80 : latencyMs());
}

/** Usually a moment, sometimes seconds. */
function latencyMs(): number {
  const kind = Math.random();
  if (kind < 0.8) return 50 + Math.random() * 350;
  return kind < 0.97 ? 400 + Math.random() * 2_000 : 3_000 + Math.random() * 5_000;
}

process.on("message", () => {
  const ofConsumers = [...consumers.values()].map((each) => each.arrivedAtMs);
  process.send?.({ arrivedAtMs, ofConsumers, refused, nowMs: performance.now() } satisfies StubReport);
});
process.on("disconnect", () => process.exit());
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
