/** What is known of each item: the newest answer, within the bytes it may take, as data with its age. */
import {
  createKnownAnswers,
  type FetchedAnswer,
  type KnownAnswers,
} from "../../../src/server/company/known-answers";
import { as } from "../../helpers/outcome";
import { createVirtualClock, type VirtualClock } from "../../helpers/virtual-clock";
import { acmeRecords, gtin, okAnswer } from "./bed";

const scope = "acme 1234";
let clock: VirtualClock;
let known: KnownAnswers;
const begin = (maxBytes = 1_000_000) => {
  clock = createVirtualClock();
  known = createKnownAnswers({ clock, maxBytes });
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

it("gives each item the answer that was asked for last, in whatever order they came", async () => {
  await keep(scope, fetched([1, 2], 20));
  await keep(scope, fetched([2, 3], 30));
  await keep(scope, fetched([1], 10));
  expect(await askedAgo(1, 2, 3, 4)).toEqual([10, 20, 30, null]);
  await clock.advance(5);
  expect(await askedAgo(1, 2, 3, 4)).toEqual([15, 25, 35, null]);
});

it("gives a record with what its answer said around it, and nothing that is not data", async () => {
  await keep(scope, fetched([1], 10, { fetchedAgoMs: 4 }));
  const found = await find([1]);
  expect(JSON.parse(JSON.stringify(found))).toEqual(found);
  expect(found).toEqual([
    {
      kind: "known",
      record: JSON.stringify(acmeRecords(1)[0]),
      around: '{"supplier_name":"acme","store_nbr":1234}',
      askedAgoMs: 10,
      fetchedAgoMs: 4,
    },
  ]);
});

it("gives nothing of another scope", async () => {
  await keep("bolt 1234", fetched([1]));
  expect(await askedAgo(1)).toEqual([null]);
});

it("forgets an answer that turns out to be unreadable, and nothing else", async () => {
  await keep(scope, fetched([1, 2], 20));
  await keep(scope, fetched([2, 3], 10, { text: '{"store_nbr":1234,"items":[' }));
  expect(await askedAgo(1, 2, 3)).toEqual([20, null, null]);
  await keep(scope, fetched([3], 15));
  expect(await askedAgo(3)).toEqual([15]);
});

it("keeps within its bytes what was used last, and lets go of what newer answers have replaced", async () => {
  // Two answers of one item, but not three.
  begin(3_500);
  await keep(scope, fetched([1], 10));
  await keep(scope, fetched([2], 9));
  await keep(scope, fetched([2], 8));
  expect(await askedAgo(1, 2)).toEqual([10, 8]);
  await askedAgo(1);
  await keep(scope, fetched([3], 7));
  expect(await askedAgo(1, 2, 3)).toEqual([10, null, 7]);
});

it("keeps nothing that is larger than all it may take", async () => {
  begin(1);
  await keep(scope, fetched([1]));
  expect(await askedAgo(1)).toEqual([null]);
});

it("keeps nothing of an answer that is older than all that is known", async () => {
  await keep(scope, fetched([1], 10));
  await keep(scope, fetched([1], 20));
  expect(await askedAgo(1)).toEqual([10]);
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
