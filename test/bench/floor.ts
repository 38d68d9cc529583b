/**
 * What the work costs at the very least: parse the same answers, keep each item in a Map, and per cell one
 * look-up and one promise. Beside it, what no client on this platform can avoid: the Request and Response
 * objects of the same calls, and the turns of the virtual loop.
 */
import { buildSearchRequest } from "../../src/api/search-items";
import type { Environment } from "../../src/domain/environment";
import type { Exchange } from "./service";
import { createTally } from "./tally";
import { createVirtualLoop } from "./virtual-loop";
import type { Cell } from "./workloads";

export async function runFloor(exchanges: readonly Exchange[], cells: readonly Cell[]): Promise<number> {
  const texts = exchanges.filter(({ status }) => status === 200).map(({ text }) => text);
  const tally = createTally(createVirtualLoop());
  const cpu = process.cpuUsage();
  const stores = new Map<number, Map<string, unknown>>();
  for (const text of texts) {
    const answer = JSON.parse(text) as { store_nbr: number; items: { gtin: string }[] };
    const items = stores.get(answer.store_nbr) ?? new Map<string, unknown>();
    stores.set(answer.store_nbr, items);
    for (const item of answer.items) items.set(item.gtin, item);
  }
  for (const { store, gtin } of cells) tally.follow(Promise.resolve(stores.get(store)?.get(gtin)));
  await Promise.resolve();
  const used = process.cpuUsage(cpu);
  if (tally.values !== cells.length) throw new Error("The floor lost cells.");
  return (used.user + used.system) / 1000;
}

/**
 * A Request made and a Response read for each call, and nothing done with them; with an abort signal for the
 * client that sends one.
 */
export async function runPlatform(
  exchanges: readonly Exchange[],
  environment: Environment,
  hasSignal: boolean,
): Promise<number> {
  const account = { consumerId: "bench", accessToken: "bench" };
  const cpu = process.cpuUsage();
  for (const { body, status, text } of exchanges) {
    const query = { storeNumber: 1000, itemType: "gtin" as const, values: [body] };
    const options = hasSignal ? { ...account, signal: new AbortController().signal } : account;
    await buildSearchRequest(environment, query, options).text();
    await new Response(text, { status }).text();
  }
  const used = process.cpuUsage(cpu);
  return (used.user + used.system) / 1000;
}

export async function runEmptyTurns(turns: number): Promise<number> {
  const loop = createVirtualLoop();
  let left = turns;
  const next = (): void => {
    if (--left > 0) loop.clock.nextTurn(next);
  };
  loop.clock.nextTurn(next);
  const cpu = process.cpuUsage();
  await loop.run(() => left <= 0);
  const used = process.cpuUsage(cpu);
  return (used.user + used.system) / 1000;
}
