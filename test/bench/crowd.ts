/**
 * What a crowd costs everybody else, by counting processor time: a lookup of 100 items while ten thousand made-up client IDs have been
 * tried and as many consumers have called, and one that comes while a thousand wait in its line; each beside the
 * same with next to nobody there, in turns. Prints one JSON object.
 */
import { createCompany } from "../../src/server/company/company";
import { createKnownAnswers } from "../../src/server/company/known-answers";
import { createCancel, type CancelSignal } from "../../src/server/company/cancel-signal";
import { createDataOperations } from "../../src/server/relay/data-operations";
import type { ServiceAnswer } from "../../src/server/relay/outgoing";
import { createPageTokens } from "../../src/server/relay/page-tokens";
import { createPeople } from "../../src/server/relay/people";
import { createTokenOperation } from "../../src/server/relay/token-operation";

const nothing = () => undefined;
const silent = {
  waited: nothing,
  sent: nothing,
  rejected: nothing,
  away: nothing,
  shared: nothing,
  quotaLeft: nothing,
};
const [few, many] = [10, 10_000];
const [fewWaiting, manyWaiting] = [10, 1_000];
/** At 6,000 calls a minute, those of calls that are no edits. */
const connections = 500;
const [rounds, callsOfRound] = [25, 200];

interface Asked {
  readonly address?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: CancelSignal;
}

const gtins = Array.from({ length: 100 }, (_, item) => String(10_000_000 + item * 7).padStart(14, "0"));
/** Of the size that a hundred records have. */
const lookedUp = JSON.stringify({
  store_nbr: 0,
  items: gtins.map((gtin) => ({ gtin, reason: " ".repeat(500) })),
});
/** Each call asks for another, so that nobody shares. */
let store = 0;

function createServer() {
  // Time stands: nothing of what is remembered ends while it is measured.
  const clock = {
    now: () => 1_000_000,
    setTimeout: (callback: () => void, waitMs: number) => (waitMs === 0 ? setTimeout(callback) : undefined),
    clearTimeout: nothing,
    random: Math.random,
  };
  const tokens = createPageTokens({ clock });
  const company = createCompany({
    clock,
    limitOf: () => 6_000,
    known: createKnownAnswers({ clock, maxBytes: 0 }),
    observer: silent,
  });
  const parts = { clock, tokens, company, people: createPeople(clock), maxAnswerBytes: 1_000_000 };
  const operations = { token: createTokenOperation(parts), ...createDataOperations(parts) };
  let hangs = false;
  const answer = (status: number, text: string): ServiceAnswer => ({
    status,
    contentType: "application/json",
    retryAfter: null,
    body: Buffer.from(text),
  });
  const target = {
    id: "bench",
    tokenUrl: "https://s.example/token",
    searchUrl: "https://s.example/search",
    eventsUrl: "https://s.example/events",
    authorization: "bearer" as const,
    async send({ url, body }: { readonly url: URL; readonly body: Buffer | null }) {
      if (url.pathname !== "/token") return hangs ? new Promise<never>(nothing) : answer(200, lookedUp);
      const isRight = body?.includes("client_secret=right") ?? false;
      return Promise.resolve(isRight ? answer(200, '{"access_token":"of-the-service"}') : answer(401, "{}"));
    },
  };
  const ask = (operation: "token" | "search", { address = "10.0.0.1", headers, body = "", signal }: Asked) =>
    operations[operation]({
      target,
      address,
      header: (name) => headers[name],
      query: "",
      body: Buffer.from(body),
      signal: signal ?? createCancel().signal,
    });
  const exchange = (consumerId: string, secret: string, address: string) =>
    ask("token", {
      address,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `grant_type=client_credentials&client_id=${consumerId}&client_secret=${secret}`,
    });
  return {
    hang: () => (hangs = true),
    exchange,
    search: (token: string, signal?: CancelSignal) =>
      ask("search", {
        headers: { authorization: `Bearer ${token}`, "inv-max-age": "60" },
        body: JSON.stringify({ item_type: "gtin", store_nbr: 10 + (store += 1), item_type_values: gtins }),
        ...(signal && { signal }),
      }),
    async tokenOf(consumerId: string, address: string): Promise<string> {
      const granted = await exchange(consumerId, "right", address);
      const { access_token } = JSON.parse(granted?.body.toString() ?? "{}") as { access_token: string };
      return access_token;
    },
  };
}

type Call = () => Promise<unknown>;

/** So many IDs are tried with wrong secrets, called for without a token, and call with a token of their own. */
async function afterIds(count: number): Promise<Call> {
  const server = createServer();
  const honest = await server.tokenOf("acme", "10.0.0.1");
  for (let id = 0; id < count; id += 1) {
    const address = `10.1.${id >> 6}.1`;
    await server.exchange(`made-up-${id}`, "guessed", address);
    await server.search(`made-up-${id}`);
    // One token less than an environment remembers, so that the honest one stays.
    if (id > 0) await server.search(await server.tokenOf(`consumer-${id}`, address));
  }
  return () => server.search(honest);
}

/** So many calls wait in the line that the call comes to; it leaves again. */
async function withWaiting(count: number): Promise<Call> {
  const server = createServer();
  const honest = await server.tokenOf("acme", "10.0.0.1");
  const others: string[] = [];
  for (let person = 0; person < count / 5; person += 1) {
    others.push(await server.tokenOf("acme", `10.1.${person}.1`));
  }
  server.hang();
  const slow = await server.tokenOf("acme", "10.2.0.1");
  for (let call = 0; call < connections; call += 1) void server.search(slow);
  for (let call = 0; call < count; call += 1) void server.search(others[call % others.length] ?? "");
  return async () => {
    const { signal, cancel } = createCancel();
    const left = server.search(honest, signal);
    await new Promise((resolve) => setImmediate(resolve));
    cancel();
    await left;
  };
}

async function processorMs(call: Call): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < callsOfRound; time += 1) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / callsOfRound;
}

/** In turns, and of each the middle. */
async function compare(one: Call, other: Call): Promise<readonly [number, number]> {
  const taken: [number[], number[]] = [[], []];
  for (let round = -5; round < rounds; round += 1) {
    const times = [await processorMs(one), await processorMs(other)] as const;
    if (round < 0) continue;
    taken[0].push(times[0]);
    taken[1].push(times[1]);
  }
  return [median(taken[0]), median(taken[1])];
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[values.length >> 1] ?? NaN;
}

async function usedMegabytes(): Promise<number> {
  // What is read after an answer has left.
  await new Promise((resolve) => setTimeout(resolve, 100));
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1_000_000;
}

async function main(): Promise<void> {
  const alone = await afterIds(few);
  const before = await usedMegabytes();
  const crowded = await afterIds(many);
  const megabytes = (await usedMegabytes()) - before;
  const ids = await compare(alone, crowded);
  const waiting = await compare(await withWaiting(fewWaiting), await withWaiting(manyWaiting));
  process.stdout.write(JSON.stringify({ ids, megabytes, waiting }));
}

void main();
