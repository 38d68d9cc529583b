/** What is known of each item: the newest answer that can be read, within the bytes it may take. */
import { createFetchedAnswer, type FetchedAnswer } from "../../../src/server/company/fetched-answer";
import { createKnownAnswers, type KnownAnswers } from "../../../src/server/company/known-answers";
import { readSearchStart, writeSearch } from "../../../src/server/company/search-query";
import { gtin, okAnswer } from "./bed";

const scope = "acme 1234";

describe("known answers", () => {
  let known: KnownAnswers;
  beforeEach(() => {
    known = createKnownAnswers(1_000_000);
  });

  const askedAt = async (...numbers: number[]) =>
    (await known.find(scope, () => numbers.map(gtin))).map((answer) => answer?.askedAtMs);

  it("gives each item the answer that was asked for last, in whatever order they came", async () => {
    await known.keep(scope, fetched([1, 2], { askedAtMs: 20 }));
    await known.keep(scope, fetched([2, 3], { askedAtMs: 10 }));
    await known.keep(scope, fetched([1], { askedAtMs: 30 }));
    expect(await askedAt(1, 2, 3, 4)).toEqual([30, 20, 10, undefined]);
  });

  it("gives nothing of another scope", async () => {
    await known.keep("bolt 1234", fetched([1]));
    expect(await askedAt(1)).not.toContainEqual(expect.anything());
  });

  it("forgets an answer that turns out to be unreadable, and nothing else", async () => {
    await known.keep(scope, fetched([1, 2], { askedAtMs: 10 }));
    await known.keep(scope, fetched([2, 3], { askedAtMs: 20, text: '{"store_nbr":1234,"items":[' }));
    expect(await askedAt(1, 2, 3)).toEqual([10, undefined, undefined]);
    await known.keep(scope, fetched([3], { askedAtMs: 15 }));
    expect(await askedAt(3)).toEqual([15]);
  });

  it("knows the second answer of a scope whose first cannot be read, also where nobody asked in between", async () => {
    const start = readSearchStart(
      Buffer.from('{"item_type":"gtin","store_nbr":1234,"item_type_values":["1","1"]}'),
    )!;
    await known.keep(
      scope,
      createFetchedAnswer({ start, body: Buffer.from("{}"), askedAtMs: 1, fetchedAtMs: 1 }),
    );
    await known.keep(scope, fetched([1], { askedAtMs: 2 }));
    expect(await askedAt(1)).toEqual([2]);
  });

  it("asks for no items where it knows nothing", async () => {
    const values = jest.fn(() => [gtin(1)]);
    expect(await known.find(scope, values)).toEqual([]);
    expect(values).not.toHaveBeenCalled();
  });

  it("keeps within its bytes what was used last, and lets go of what newer answers have replaced", async () => {
    // Two answers of one item, but not three.
    known = createKnownAnswers(6_000);
    await known.keep(scope, fetched([1], { askedAtMs: 1 }));
    await known.keep(scope, fetched([2], { askedAtMs: 2 }));
    await known.keep(scope, fetched([2], { askedAtMs: 3 }));
    expect(await askedAt(1, 2)).toEqual([1, 3]);
    await askedAt(1);
    await known.keep(scope, fetched([3], { askedAtMs: 4 }));
    expect(await askedAt(1, 2, 3)).toEqual([1, undefined, 4]);
  });

  it("keeps nothing that is larger than all it may take", async () => {
    known = createKnownAnswers(1);
    await known.keep(scope, fetched([1]));
    expect(await askedAt(1)).not.toContainEqual(expect.anything());
  });
});

describe("an answer that is kept", () => {
  it("keeps no larger piece of memory alive than its own", () => {
    const { body } = okAnswer("acme", 1234, [gtin(1)]);
    const large = Buffer.concat([Buffer.alloc(100_000), body]);
    const answer = fetched([1], { body: large.subarray(100_000) });
    expect(answer.body.equals(body)).toBe(true);
    expect(answer.body.buffer.byteLength).toBe(body.length);
    expect(answer.records()?.of.size).toBe(1);
  });
});

interface Options {
  readonly askedAtMs?: number;
  readonly text?: string;
  readonly body?: Buffer;
}

function fetched(numbers: readonly number[], { askedAtMs = 0, text, body }: Options = {}): FetchedAnswer {
  const values = numbers.map(gtin);
  const good = okAnswer("acme", 1234, values).body;
  return createFetchedAnswer({
    start: writeSearch({ itemType: "gtin", storeNumber: 1234, values }),
    body: body ?? (text === undefined ? good : Buffer.from(text)),
    askedAtMs,
    fetchedAtMs: askedAtMs,
  });
}
