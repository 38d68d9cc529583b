/** Cached answers, in memory or in Redis, and claims in Redis: one call for equal items, whichever servers receive the requests. */
import { randomUUID } from "node:crypto";
import { createRedisAnswers } from "../../../src/server/shared-quota/in-redis/redis-answers";
import {
  createKnownAnswers,
  type FetchedAnswer,
  type KnownAnswers,
} from "../../../src/server/shared-quota/known-answers";
import { until, wait } from "../../helpers/until";
import { clockOf } from "../parts";
import { describeInRedis, describeStores, ofTwoServers, type StorePlace } from "../stores";
import { acmeRecords, gtin, okAnswer } from "./bed";

const scope = "production\nacme\n1234\ngtin";

const missing = { kind: "missing" } as const;

function open(place: StorePlace, maxBytes = 10_000_000) {
  return ofTwoServers<KnownAnswers>(place, {
    inProcess: () => createKnownAnswers({ clock: clockOf(), maxBytes }),
    inRedis: (redis) => createRedisAnswers({ redis, maxBytes }),
  });
}

interface Looked {
  readonly claim: string;
  readonly kinds: string;
  readonly items: readonly { readonly kind: string }[];
}

/** `k` cached, `c` claimed by another call, `m` missing: this call claims such an item. */
async function look(
  server: KnownAnswers,
  numbers: readonly number[],
  maxAgeMs = 60_000,
  of = scope,
): Promise<Looked> {
  const claim = randomUUID();
  const found = (await server.find(of, numbers.map(gtin), { claim, maxAgeMs })) ?? [];
  const items = found.map((item) => ("claim" in item && item.claim === claim ? missing : item));
  return { claim, items, kinds: items.map(({ kind }) => kind.charAt(0)).join("") };
}

function answer(
  numbers: readonly number[],
  { askedAgoMs = 10, fetchedAgoMs = 4, text = "", version = 0 } = {},
): FetchedAnswer {
  const values = numbers.map(gtin);
  const body = text === "" ? okAnswer("acme", 1234, values, version).body : Buffer.from(text);
  return { query: { itemType: "gtin", storeNumber: 1234, values }, body, askedAgoMs, fetchedAgoMs };
}

describeStores("known answers", (place) => {
  it("stored by one server are found by another, with each record as the service sent it and its ages", async () => {
    const [here, there] = await open(place);
    const { claim } = await look(here, [1, 2]);
    await here.keep(scope, answer([1, 2]), claim);
    const { items, kinds } = await look(there, [2, 3, 1]);
    expect(kinds).toBe("kmk");
    expect(items[0]).toMatchObject({
      record: JSON.stringify(acmeRecords(2)[0]),
      around: '{"supplier_name":"acme","store_nbr":1234}',
    });
    const { askedAgoMs, fetchedAgoMs } = items[2] as unknown as { askedAgoMs: number; fetchedAgoMs: number };
    expect(askedAgoMs - fetchedAgoMs).toBeCloseTo(6, 5);
    expect(askedAgoMs).toBeGreaterThanOrEqual(10);
    expect(askedAgoMs).toBeLessThan(10_000);
    expect((await look(there, [1], 60_000, "production\nbolt\n1234\ngtin")).kinds).toBe("m");
  });

  it("are not given to callers who want newer ones", async () => {
    const [here, there] = await open(place);
    await here.keep(scope, answer([1], { askedAgoMs: 30_000, fetchedAgoMs: 29_000 }), randomUUID());
    expect((await look(there, [1], 40_000)).kinds).toBe("k");
    expect((await look(there, [1], 29_999)).kinds).toBe("m");
    expect((await look(there, [1], 0)).kinds).toBe("m");
  });

  it("replace those requested earlier, item by item, in any order of arrival", async () => {
    const [here, there] = await open(place);
    await here.keep(
      scope,
      answer([1, 2], { askedAgoMs: 20_000, version: 1 }),
      (await look(here, [1, 2])).claim,
    );
    await there.keep(
      scope,
      answer([2, 3], { askedAgoMs: 30_000, version: 2 }),
      (await look(there, [3])).claim,
    );
    await there.keep(scope, answer([1], { askedAgoMs: 10_000, version: 3 }), randomUUID());
    const { items } = await look(here, [1, 2, 3]);
    const versions = items.map(
      (item) => /"quantity":(\d)/.exec((item as unknown as { record: string }).record)?.[1],
    );
    expect(versions).toEqual(["3", "1", "2"]);
  });

  it("that can't be read are not found", async () => {
    const [here, there] = await open(place);
    await here.keep(
      scope,
      answer([1], { text: '{"store_nbr":1234,"items":[' }),
      (await look(here, [1])).claim,
    );
    expect((await look(there, [1])).kinds).toBe("m");
  });

  it("stay within their limit of bytes, and a larger one isn't stored", async () => {
    const [here, there] = await open(place, 6_000);
    const scopes = Array.from({ length: 20 }, (_, number) => `${scope} ${number}`);
    for (const of of scopes) {
      await here.keep(of, answer([1]), randomUUID());
    }
    const kinds = await Promise.all(scopes.map(async (of) => (await look(there, [1], 60_000, of)).kinds));
    expect(kinds.join("")).toMatch(/^m+k{2,8}$/);
    // Those that were written last stay.
    await here.keep(scopes[19]!, answer([1], { askedAgoMs: 0 }), randomUUID());
    expect((await look(there, [1], 60_000, scopes[18])).kinds).toBe("k");
    const [tiny] = await open(place, 1);
    await tiny.keep(scope, answer([50]), randomUUID());
    expect((await look(tiny, [50])).kinds).toBe("m");
  });
});

describe("in memory", () => {
  it("a replaced record no longer counts", async () => {
    const known = createKnownAnswers({ clock: clockOf(), maxBytes: 6_000 });
    await known.keep(`${scope} other`, answer([1]), "");
    for (let times = 0; times < 20; times += 1) {
      await known.keep(scope, answer([1], { askedAgoMs: 0 }), "");
    }
    expect((await look(known, [1], 60_000, `${scope} other`)).kinds).toBe("k");
  });
});

describeInRedis("claims", (place) => {
  it("of the future are not given to anybody: the clock was set back", async () => {
    const [here, there] = await open(place);
    await here.keep(scope, answer([1], { askedAgoMs: -5_000, fetchedAgoMs: -5_000 }), randomUUID());
    expect((await look(there, [1])).kinds).toBe("m");
  });

  it("belong to one call for each item, and name that call to others", async () => {
    const [here, there] = await open(place);
    const first = await look(here, [1, 2]);
    const second = await look(there, [2, 3]);
    expect([first.kinds, second.kinds]).toEqual(["mm", "cm"]);
    expect(second.items[0]).toEqual({ kind: "claimed", claim: first.claim });
    // This does not release items that another call has claimed.
    await there.release(scope, [1, 2, 3].map(gtin), second.claim);
    expect((await look(here, [1, 2, 3])).kinds).toBe("ccm");
  });

  it("are ignored by callers who want a newer answer", async () => {
    const [here, there] = await open(place);
    const first = await look(here, [1]);
    expect((await look(there, [1], 0)).kinds).toBe("m");
    await wait(30);
    expect((await look(here, [1], 10)).kinds).toBe("m");
    expect((await look(there, [1])).items).toEqual([{ kind: "claimed", claim: first.claim }]);
  });

  it.each(["kept", "released"] as const)("end when something is %s", async (how) => {
    const [here, there] = await open(place);
    const { claim } = await look(here, [1]);
    if (how === "kept") await here.keep(scope, answer([1]), claim);
    else await here.release(scope, [gtin(1)], claim);
    expect((await look(there, [1])).kinds).toBe(how === "kept" ? "k" : "m");
    if (how === "released") return;
    // For a moment, somebody who looked before that finds the claim, and looks again.
    const redis = await place.connect();
    const lines = (await place.content()).split("\n");
    const claimed = lines.find((line) => line.includes(":claim ") && line.endsWith(gtin(1))) ?? "";
    const name = claimed.slice(claimed.indexOf("claim "));
    const outcome = await redis.send([["PTTL", [name]]]);
    expect(Number(outcome.kind === "replied" && outcome.replies[0])).toBeLessThanOrEqual(1_000);
  });

  it("are never two for one item, however many ask at once", async () => {
    const servers = await open(place);
    for (let round = 0; round < 50; round += 1) {
      const numbers = (from: number) => Array.from({ length: 10 }, (_, index) => round * 20 + from + index);
      const looked = await Promise.all(
        [0, 5, 0, 10, 3].map((from, index) => look(servers[index % 2]!, numbers(from))),
      );
      const missing = looked.flatMap(({ items }, index) =>
        numbers([0, 5, 0, 10, 3][index]!).filter((_, at) => items[at]?.kind === "missing"),
      );
      expect(missing.sort((left, right) => left - right)).toEqual(
        Array.from({ length: 20 }, (_, index) => round * 20 + index),
      );
    }
  });

  it("of a dead server end after some seconds", async () => {
    const [dying, living] = [await place.connect(), await place.connect()];
    const claimedForMs = 60_000;
    await look(createRedisAnswers({ redis: dying, maxBytes: 1, claimedForMs }), [1]);
    await dying.close();
    const own = createRedisAnswers({ redis: living, maxBytes: 1 });
    expect((await look(own, [1])).kinds).toBe("c");
    const claim = /:(claim \S+ \d+)/.exec(await place.content())?.[1] ?? "";
    const left = await living.send([
      ["PTTL", [claim]],
      ["PEXPIRE", [claim], 1],
    ]);
    expect(left).toEqual({ kind: "replied", replies: [expect.any(Number), 1] });
    const [leftMs] = left.kind === "replied" ? (left.replies as readonly number[]) : [];
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(claimedForMs);
    await until(async () => (await look(own, [1])).kinds === "m");
  });

  it("and answers expire, and their keys name no company or store", async () => {
    const [here] = await open(place);
    const { claim } = await look(here, [1]);
    await here.keep(scope, answer([1]), claim);
    await look(here, [2]);
    const content = await place.content();
    expect(content).not.toMatch(/^:-1$/m);
    const keys = content.split("\n").filter((line) => /^[0-9a-f-]{36}:/.test(line));
    expect(keys.length).toBeGreaterThan(3);
    // The scope has several lines. No record contains its first line.
    expect(content).not.toContain("production");
  });

  it("can't be asked while Redis is away, and nothing throws", async () => {
    const redis = await place.connect();
    await redis.close();
    const known = createRedisAnswers({ redis, maxBytes: 1_000_000 });
    expect(await known.find(scope, [gtin(1)], { claim: "one", maxAgeMs: 1_000 })).toBeNull();
    await known.keep(scope, answer([1]), "one");
    await known.release(scope, [gtin(1)], "one");
  });
});
