/** Cached answers, in memory or in Redis, and leases in Redis: one call for equal items, whichever servers receive the requests. */
import { randomUUID } from "node:crypto";
import { createRedisAnswers } from "../../../src/server/shared-quota/in-redis/redis-answers";
import {
  createKnownAnswers,
  type FetchedAnswer,
  type KnownAnswers,
} from "../../../src/server/shared-quota/known-answers";
import type { SteadyClock } from "../../../src/server/steady-clock";
import { wait } from "../../helpers/until";
import { clockOf } from "../parts";
import { describeInRedis, describeStores, ofTwoServers, type StorePlace } from "../stores";
import { acmeRecords, gtin, okAnswer } from "./bed";

/** Leases that a test does not release must not keep the process alive. */
const clock: SteadyClock = {
  ...clockOf(),
  setTimeout: (callback: () => void, waitMs: number) => setTimeout(callback, waitMs).unref(),
};
const scope = "production\nacme\n1234\ngtin";

const missing = { kind: "missing" } as const;

/** A clock without timers, so that nobody polls: a waiter is notified or waits for ever. */
const unlooking: SteadyClock = { ...clock, setTimeout: () => null };

function open(place: StorePlace, changes: { maxBytes?: number; clock?: SteadyClock } = {}) {
  const options = { clock, maxBytes: 10_000_000, ...changes };
  return ofTwoServers<KnownAnswers>(place, {
    inProcess: () => createKnownAnswers(options),
    inRedis: (redis) => createRedisAnswers({ redis, ...options }),
  });
}

interface Looked {
  readonly lease: string;
  readonly kinds: string;
  readonly items: readonly { readonly kind: string }[];
}

/** `k` cached, `l` leased, `m` missing: the lease of this call takes such an item. */
async function look(
  server: KnownAnswers,
  numbers: readonly number[],
  maxAgeMs = 60_000,
  of = scope,
): Promise<Looked> {
  const lease = randomUUID();
  const found = (await server.find(of, numbers.map(gtin), { lease, maxAgeMs })) ?? [];
  const items = found.map((item) => ("lease" in item && item.lease === lease ? missing : item));
  return { lease, items, kinds: items.map(({ kind }) => kind.charAt(0)).join("") };
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
    const { lease } = await look(here, [1, 2]);
    await here.keep(scope, answer([1, 2]), lease);
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
    const { lease } = await look(here, [1]);
    await here.keep(scope, answer([1], { askedAgoMs: 30_000, fetchedAgoMs: 29_000 }), lease);
    expect((await look(there, [1], 40_000)).kinds).toBe("k");
    expect((await look(there, [1], 29_999)).kinds).toBe("m");
    expect((await look(there, [1], 0)).kinds).toBe("m");
  });

  it("replace those requested earlier, item by item, in any order of arrival", async () => {
    const [here, there] = await open(place);
    await here.keep(
      scope,
      answer([1, 2], { askedAgoMs: 20_000, version: 1 }),
      (await look(here, [1, 2])).lease,
    );
    await there.keep(
      scope,
      answer([2, 3], { askedAgoMs: 30_000, version: 2 }),
      (await look(there, [3])).lease,
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
      (await look(here, [1])).lease,
    );
    expect((await look(there, [1])).kinds).toBe("m");
  });

  it("stay within their limit of bytes, and a larger one isn't stored", async () => {
    const [here, there] = await open(place, { maxBytes: 6_000 });
    const scopes = Array.from({ length: 20 }, (_, number) => `${scope} ${number}`);
    for (const of of scopes) {
      await here.keep(of, answer([1]), (await look(here, [1], 60_000, of)).lease);
      // Scopes of the same millisecond are removed in any order.
      await wait(2);
    }
    const kinds = await Promise.all(scopes.map(async (of) => (await look(there, [1], 60_000, of)).kinds));
    expect(kinds.join("")).toMatch(/^m+k{2,8}$/);
    // A replaced record no longer counts.
    for (let times = 0; times < 20; times += 1) {
      await here.keep(scopes[19]!, answer([1], { askedAgoMs: 0 }), randomUUID());
    }
    expect((await look(there, [1], 60_000, scopes[18])).kinds).toBe("k");
    const [tiny] = await open(place, { maxBytes: 1 });
    await tiny.keep(scope, answer([50]), (await look(tiny, [50])).lease);
    expect((await look(tiny, [50])).kinds).toBe("m");
  });
});

describeInRedis("leases", (place) => {
  it("belong to one call for each item, and name that call to others", async () => {
    const [here, there] = await open(place);
    const first = await look(here, [1, 2]);
    const second = await look(there, [2, 3]);
    expect([first.kinds, second.kinds]).toEqual(["mm", "lm"]);
    expect(second.items[0]).toEqual({ kind: "leased", lease: first.lease });
    // This does not release items that another lease has.
    await there.free(scope, [1, 2, 3].map(gtin), second.lease);
    expect((await look(here, [1, 2, 3])).kinds).toBe("llm");
  });

  it("are ignored by callers who want a newer answer", async () => {
    const [here, there] = await open(place);
    const first = await look(here, [1]);
    const exact = await look(there, [1], 0);
    expect(exact.kinds).toBe("m");
    await wait(30);
    const young = await look(here, [1], 10);
    expect(young.kinds).toBe("m");
    // A new caller waits for the latest lease.
    expect((await look(there, [1])).items).toEqual([{ kind: "leased", lease: young.lease }]);
    await here.free(scope, [gtin(1)], first.lease);
    await here.free(scope, [gtin(1)], exact.lease);
    expect((await look(there, [1])).kinds).toBe("l");
  });

  it.each(["kept", "freed"] as const)(
    "end when something is %s, and waiting callers at any server are notified",
    async (how) => {
      const [here, there] = await open(place, { clock: unlooking });
      const { lease } = await look(here, [1]);
      const notified = Promise.all([here.changeOf(lease), there.changeOf(lease)]);
      if (how === "kept") await here.keep(scope, answer([1]), lease);
      else await here.free(scope, [gtin(1)], lease);
      await notified;
      expect((await look(there, [1])).kinds).toBe(how === "kept" ? "k" : "m");
      // A caller that starts to wait too late is notified too.
      await there.changeOf(lease);
    },
  );

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

  it("of a dead server end after some seconds, and those of a live one don't", async () => {
    const redis = await place.connect();
    const [dying, living] = [await place.connect(), await place.connect()];
    const servers = [dying, living].map((each) =>
      createRedisAnswers({ redis: each, clock, maxBytes: 1, leasedForMs: 3_000 }),
    );
    const own = createRedisAnswers({ redis, clock, maxBytes: 1 });
    await look(servers[0]!, [1]);
    const held = await look(servers[1]!, [2]);
    await dying.close();
    let { kinds } = await look(own, [1, 2]);
    while (kinds === "ll") {
      await wait(100);
      ({ kinds } = await look(own, [1, 2]));
    }
    expect(kinds).toBe("ml");
    await servers[1]!.free(scope, [gtin(2)], held.lease);
  });

  it("whose notice is lost are checked again within a second", async () => {
    const redis = await place.connect();
    const known = createRedisAnswers({ redis, clock: clockOf(), maxBytes: 1 });
    await known.changeOf("one that nobody gives back");
  });

  it("and answers expire, and their keys name no company or store", async () => {
    const [here] = await open(place);
    const { lease } = await look(here, [1]);
    await here.keep(scope, answer([1]), lease);
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
    const known = createRedisAnswers({ redis, clock, maxBytes: 1_000_000 });
    expect(await known.find(scope, [gtin(1)], { lease: "one", maxAgeMs: 1_000 })).toBeNull();
    await known.keep(scope, answer([1]), "one");
    await known.free(scope, [gtin(1)], "one");
  });
});
