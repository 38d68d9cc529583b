/** One store with more items than are remembered: the memory stays bounded, and what waits loses nothing. */
import { toInvError } from "../../src/domain/errors";
import type { ItemQuery } from "../../src/domain/records";
import { useLightMessages } from "../helpers/light-messages";
import { type Bed, createBed, item, noQuota } from "./bed";

useLightMessages();

const items = (from: number, count: number): ItemQuery[] =>
  Array.from({ length: count }, (_, index) => item(1, from + index));

/** Asks for all, and counts how they ended. */
function ask({ engine }: Bed, queries: readonly ItemQuery[]): { values: number; cancelled: number } {
  const ends = { values: 0, cancelled: 0 };
  const settle = (outcome: object): void => {
    if ("found" in outcome) ends.values += 1;
    else if (toInvError(outcome).code === "cancelled") ends.cancelled += 1;
  };
  for (const query of queries) engine.ask(query, { next: null, settle }, undefined);
  return ends;
}

const known = ({ engine }: Bed, queries: readonly ItemQuery[]): boolean[] =>
  queries.map((query) => engine.cachedItem(query) !== undefined);
const count = (each: readonly boolean[]): number => each.filter(Boolean).length;

test("answers are counted, not what waits: of 300,000 items, cancelled early, every answer is kept", async () => {
  const bed = createBed({ ...noQuota, latencyMs: 10 });
  const queries = items(1, 300_000);
  const ends = ask(bed, queries);
  await bed.clock.advance(200);
  bed.engine.cancel();
  await bed.clock.runAll();
  expect(ends.values).toBeGreaterThan(1_000);
  expect(ends.values + ends.cancelled).toBe(queries.length);
  expect(count(known(bed, queries))).toBe(ends.values);
});
