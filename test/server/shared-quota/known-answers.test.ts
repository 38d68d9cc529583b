/** Cached answers per item: the newest answer, within a limit of bytes, as data with its age. */
import {
  createKnownAnswers,
  type FetchedAnswer,
  type KnownAnswers,
} from "../../../src/server/shared-quota/known-answers";
import { as } from "../../helpers/outcome";
import { createVirtualClock, type VirtualClock } from "../../helpers/virtual-clock";
import { gtin, okAnswer } from "./bed";

const scope = "acme 1234";
let clock: VirtualClock;
let known: KnownAnswers;
let evictions: number;
const begin = (maxBytes = 1_000_000) => {
  clock = createVirtualClock();
  evictions = 0;
  known = createKnownAnswers({ clock, maxBytes, onEvict: () => void (evictions += 1) });
};
beforeEach(() => begin());

let leases = 0;
const find = async (numbers: readonly number[], of = scope) => {
  const wish = { lease: `lease-${(leases += 1)}`, maxAgeMs: Infinity };
  return as("found", await known.find(of, numbers.map(gtin), wish)).items;
};
const askedAgo = async (...numbers: number[]) =>
  (await find(numbers)).map((item) => (item.kind === "known" ? item.askedAgoMs : null));
const keep = (of: string, answer: FetchedAnswer) => known.keep(of, answer, `lease-${leases}`);

it("forgets an answer that can't be read, and no other", async () => {
  await keep(scope, fetched([1, 2], 20));
  await keep(scope, fetched([2, 3], 10, { text: '{"store_nbr":1234,"items":[' }));
  expect(await askedAgo(1, 2, 3)).toEqual([20, null, null]);
  await keep(scope, fetched([3], 15));
  expect(await askedAgo(3)).toEqual([15]);
});

it("keeps the most recently used answers within its limit of bytes, and drops replaced ones", async () => {
  // The limit is enough for two answers of one item, but not for three.
  begin(3_500);
  await keep(scope, fetched([1], 10));
  await keep(scope, fetched([2], 9));
  await keep(scope, fetched([2], 8));
  expect(await askedAgo(1, 2)).toEqual([10, 8]);
  await askedAgo(1);
  await keep(scope, fetched([3], 7));
  expect(await askedAgo(1, 2, 3)).toEqual([10, null, 7]);
  expect(evictions).toBe(1);
});

interface Options {
  readonly fetchedAgoMs?: number;
  readonly text?: string;
}

function fetched(numbers: readonly number[], askedAgoMs = 0, options: Options = {}): FetchedAnswer {
  const values = numbers.map(gtin);
  const { text, fetchedAgoMs = askedAgoMs } = options;
  const body = text === undefined ? okAnswer("acme", 1234, values).body : Buffer.from(text);
  return { query: { itemType: "gtin", storeNumber: 1234, values }, body, askedAgoMs, fetchedAgoMs };
}
