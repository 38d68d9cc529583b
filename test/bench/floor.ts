/**
 * What the work costs at the very least: parse the answers of the fewest calls, keep each item in a Map, and
 * per cell one look-up and one promise. Beside it, the turns of the virtual loop, which are the bench's own.
 */
import { createTally } from "./tally";
import { createVirtualLoop } from "./virtual-loop";
import type { Cell } from "./workloads";

/** `answers` are the texts of the fewest calls' answers. Milliseconds of processor time. */
export async function runFloor(answers: readonly string[], cells: readonly Cell[]): Promise<number> {
  const tally = createTally(createVirtualLoop());
  const cpu = process.cpuUsage();
  const stores = new Map<number, Map<string, unknown>>();
  for (const text of answers) {
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
