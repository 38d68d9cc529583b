/**
 * The window of calls in Redis: guarantees across servers. If Redis may have lost calls, no call leaves until no earlier
 * one can still count.
 */
import { createSharedWindow } from "../../../src/server/shared-quota/in-redis/shared-window";
import type { CallEvent } from "../../../src/server/shared-quota/turns";
import { describeWithRedis, type RedisProcess } from "../../helpers/redis-process";
import { until } from "../../helpers/until";
import { createRedisBed, type RedisBed, shutMs } from "./redis-bed";

const limit = 12;
/** Outcome: this call was sent, and no other call counts. */
const sentFirst = (id: string) => ({ send: [id], usage: { used: 1 } });
const failed = { kind: "failed" };

describeWithRedis("the window in Redis", () => {
  let bed: RedisBed;

  beforeAll(async () => {
    bed = await createRedisBed(limit);
  });
  afterAll(() => bed.close());

  const call = (id: string, person = "a"): CallEvent => ({
    kind: "arrived",
    id,
    asker: { person, isEdit: false },
  });

  const edit = (id: string, person = "a"): CallEvent => ({
    kind: "arrived",
    id,
    asker: { person, isEdit: true },
  });

  it("sends nothing while the window of a new Redis is shut, reports it, and then opens", async () => {
    await bed.process.command("FLUSHALL");
    const account = bed.newAccount();
    const [one, other] = [bed.createServer(), bed.createServer()];
    expect(await one.store.step(account, [call("1")])).toEqual({
      kind: "failed",
      retryAfterMs: shutMs,
    });
    bed.nowMs += shutMs - 1_000;
    expect(await other.store.step(account, [call("1")])).toEqual({
      kind: "failed",
      retryAfterMs: 1_000,
    });
    expect((await one.store.step(account, [call("2")])) as object).toMatchObject(failed);
    expect([one.shut, other.shut]).toEqual([[shutMs, 1_000], [1_000]]);
    bed.nowMs += 1_000;
    expect(await one.store.step(account, [call("3")])).toMatchObject({ send: ["3"] });
    // An account that nobody has used before is open too.
    expect(await other.store.step(bed.newAccount(), [call("1")])).toMatchObject({ send: ["1"] });
  });

  it.each<[string, () => Promise<unknown>, boolean]>([
    ["when Redis is emptied", () => bed.process.command("FLUSHALL"), true],
    ["when the mark is lost", () => bed.process.command("DEL", "inv:quota mark"), true],
    ["when another Redis was promoted", () => promote(bed.process), true],
    ["when it has evicted keys", () => evictKeys(bed.process), true],
    ["but not when Redis forgets scripts", () => bed.process.command("SCRIPT", "FLUSH"), false],
  ])("opens only when nothing can count any more %s", async (_, lose, isShut) => {
    const account = await bed.opened();
    const { store } = bed.createServer();
    await store.step(account, [call("1"), call("2")]);
    await store.step(account, [{ kind: "ended", id: "1", end: { kind: "answered" } }]);
    await lose();
    // A new server, which remembers nothing, detects the loss.
    const another = bed.createServer();
    const found = await another.store.step(account, [call("3")]);
    if (!isShut) expect(found).toMatchObject({ send: ["3"] });
    else {
      expect(found).toMatchObject(failed);
      expect(another.shut).toEqual([shutMs]);
      bed.nowMs += shutMs - 1;
      expect(await store.step(account, [call("4")])).toMatchObject(failed);
      bed.nowMs += 1;
      expect(await another.store.step(account, [call("5")])).toMatchObject({ send: ["5"] });
    }
  });

  it.each([61_000, -61_000, 3_600_000])(
    "shuts at all servers when Redis's time jumps by %i ms, until nothing that was sent before can count",
    async (jumpMs) => {
      const account = await bed.opened();
      const [one, other] = [bed.createServer(), bed.createServer()];
      for (const { store } of [one, other]) await store.step(account, [call("0")]);
      expect(await one.store.step(account, [call("1"), call("2")])).toMatchObject({
        send: ["1", "2"],
      });
      bed.nowMs += 1_000;
      bed.aheadMs += jumpMs;
      expect(await other.store.step(account, [call("a")])).toMatchObject(failed);
      for (const { store } of [bed.createServer(), one, other]) {
        expect(await store.step(account, [call("3")])).toMatchObject(failed);
      }
      bed.nowMs += shutMs - 1;
      expect(await one.store.step(account, [call("4")])).toMatchObject(failed);
      bed.nowMs += 1;
      expect(await one.store.step(account, [call("5")])).toMatchObject({ send: ["5"] });
      // A server that has not asked since the jump does not shut the log again.
      expect(await other.store.step(account, [call("6")])).toMatchObject({ send: ["6"] });
    },
  );

  it("shuts if Redis's clock was set back before the asking servers started", async () => {
    const account = await bed.opened();
    await bed.createServer().store.step(account, [call("1")]);
    bed.nowMs += 1_000;
    bed.aheadMs -= 3_600_000;
    const another = bed.createServer();
    expect(await another.store.step(account, [call("2")])).toMatchObject(failed);
    expect(another.shut).toEqual([shutMs]);
    // Windows of accounts that nobody has used are shut for `shutMs` too, not for an hour.
    const later = bed.createServer();
    expect(await later.store.step(bed.newAccount(), [call("1")])).toMatchObject(failed);
    expect(later.shut).toEqual([shutMs]);
    bed.nowMs += shutMs - 1;
    expect(await another.store.step(account, [call("3")])).toMatchObject(failed);
    bed.nowMs += 1;
    expect(await bed.createServer().store.step(account, [call("4")])).toMatchObject(sentFirst("4"));
  });

  it("shuts if Redis's clock was set back to after the window had opened", async () => {
    const account = await bed.opened();
    bed.nowMs += 3_600_000;
    await bed.createServer().store.step(account, [call("1")]);
    bed.aheadMs -= 1_800_000;
    const another = bed.createServer();
    expect(await another.store.step(account, [call("2")])).toMatchObject(failed);
    expect(another.shut).toEqual([shutMs]);
    bed.aheadMs += 1_800_000;
  });

  describe("after a restart of the same Redis with its data", () => {
    const heldMs = 10_000;

    it("goes on as soon as each server could say that calls are missing", async () => {
      const account = await bed.opened();
      const { store } = bed.createServer();
      await store.step(account, [edit("1"), call("2")]);
      await bed.restart();
      const another = bed.createServer();
      expect(await another.store.step(account, [call("3")])).toEqual({
        kind: "failed",
        retryAfterMs: heldMs,
      });
      bed.nowMs += heldMs - 1;
      expect(await store.step(account, [call("4")])).toMatchObject(failed);
      bed.nowMs += 1;
      expect(await store.step(account, [call("5")])).toMatchObject({ send: ["5"], usage: { used: 3 } });
    });

    it("does the same if Redis is configured as the documentation says", async () => {
      const documented = await createRedisBed(limit, true);
      try {
        const account = await documented.opened();
        const { store } = documented.createServer();
        await store.step(account, [call("1")]);
        await documented.restart();
        expect(await store.step(account, [call("2")])).toMatchObject({ retryAfterMs: heldMs });
        documented.nowMs += heldMs;
        expect(await store.step(account, [call("3")])).toMatchObject({ send: ["3"], usage: { used: 2 } });
      } finally {
        await documented.close();
      }
    });

    it("sends nothing until no earlier call can count if a server knows of more calls", async () => {
      const account = await bed.opened();
      const [one, other] = [bed.createServer(), bed.createServer()];
      await one.store.step(account, [call("1")]);
      await bed.process.command("DECR", "inv:quota writes");
      await bed.restart();
      expect(await other.store.step(account, [call("2")])).toMatchObject({ retryAfterMs: heldMs });
      bed.nowMs += 1_000;
      await one.store.look();
      expect(one.shut).toEqual([shutMs]);
      bed.nowMs += shutMs - 1;
      expect(await other.store.step(account, [call("3")])).toMatchObject(failed);
      bed.nowMs += 1;
      expect(await other.store.step(account, [call("4")])).toMatchObject({ send: ["4"] });
    });

    it("sends nothing for as long if its clock has jumped meanwhile", async () => {
      const account = await bed.opened();
      const { store, shut } = bed.createServer();
      await store.step(account, [call("1")]);
      await bed.restart();
      bed.aheadMs += 3_600_000;
      expect(await store.step(account, [call("2")])).toMatchObject({ retryAfterMs: shutMs });
      expect(shut).toContain(shutMs);
      bed.nowMs += shutMs;
      expect(await store.step(account, [call("3")])).toMatchObject({ send: ["3"] });
    });
  });

  it("begins the time without calls when a server looks, not at the first call", async () => {
    await bed.process.command("FLUSHALL");
    const { store, shut } = bed.createServer();
    await store.look();
    expect(shut).toEqual([shutMs]);
    bed.nowMs += shutMs;
    expect(await store.step(bed.newAccount(), [call("1")])).toMatchObject({ send: ["1"] });
  });

  it("tolerates a Redis clock that is corrected gradually, and slow replies", async () => {
    const account = await bed.opened();
    const { store, shut } = bed.createServer();
    for (let step = 0; step < 20; step += 1) {
      bed.nowMs += 100_000;
      bed.aheadMs += step % 2 === 0 ? 2_900 : -5_000;
      expect(await store.step(account, [call(String(step))])).toMatchObject({
        send: [String(step)],
      });
      await store.step(account, [{ kind: "ended", id: String(step), end: { kind: "answered" } }]);
    }
    expect(shut).toEqual([]);
  });

  it.each([
    ["nothing", null],
    ["the reply of another script", [[], []]],
  ])("sends nothing for %s instead of a reply, and asks again", async (_, value) => {
    const redis = { run: () => Promise.resolve({ kind: "replied" as const, replies: [value] }) };
    const store = createSharedWindow({
      redis,
      clock: { now: () => bed.nowMs, random: () => 0 },
      limitOf: () => limit,
      onShut: () => undefined,
    });
    expect(await store.step(bed.newAccount(), [call("1")])).toEqual({
      kind: "failed",
      retryAfterMs: 3_000,
    });
  });

  it.each([
    ["what Redis has decided just now", 4_000, { send: ["1"] }],
    [
      "nothing that it decided before this process stood still",
      6_000,
      { kind: "failed", retryAfterMs: 3_000 },
    ],
  ])("sends %s", async (_, tookMs, expected) => {
    const store = createSharedWindow({
      redis: {
        run() {
          bed.nowMs += tookMs;
          return Promise.resolve({
            kind: "replied" as const,
            replies: [["a mark", bed.nowMs, 0, 1, 0, 1, 0, 0, 0, 0, 1]],
          });
        },
      },
      clock: { now: () => bed.nowMs, random: () => 0 },
      limitOf: () => limit,
      onShut: () => undefined,
    });
    expect(await store.step(bed.newAccount(), [call("1")])).toMatchObject(expected);
  });

  it("opens a window at once if the previous one had expired", async () => {
    const account = await bed.opened();
    const { store, shut } = bed.createServer();
    await store.step(account, [call("1")]);
    const isWindow = (key: string) => !isOfAll(key);
    const windows = (await keysOf(bed.process)).filter(isWindow);
    await bed.process.command("DEL", ...windows);
    bed.nowMs += 600_000;
    expect(await store.step(account, [call("2")])).toMatchObject({ send: ["2"] });
    expect(shut).toEqual([]);
  });

  it("counts a dead server's calls for the longest call plus a minute and the tolerance of clocks", async () => {
    const account = await bed.opened();
    const [dead, other] = [bed.createServer().store, bed.createServer().store];
    const many = Array.from({ length: limit }, (_, number) => call(String(number)));
    expect(await dead.step(account, many)).toMatchObject({ usage: { used: 11, limit } });
    expect(await other.step(account, [edit("edit")])).toMatchObject({ send: ["edit"] });
    bed.nowMs += 60_000;
    expect(await other.step(account, [call("early", "b")])).toMatchObject({ send: [] });
    bed.nowMs += 63_049;
    expect(await other.step(account, [call("still early", "c")])).toMatchObject({ send: [], rejected: [] });
    bed.nowMs += 1;
    expect(await other.step(account, [])).toMatchObject({ send: ["still early"] });
  });

  it("counts an answered call for another minute and the tolerance of clocks", async () => {
    const account = await bed.opened();
    const [one, other] = [bed.createServer().store, bed.createServer().store];
    const many = Array.from({ length: limit }, (_, number) => edit(String(number)));
    await one.step(account, many);
    bed.nowMs += 1_000;
    await one.step(
      account,
      many.map(({ id }) => ({ kind: "ended", id, end: { kind: "answered" } })),
    );
    bed.nowMs += 63_049;
    expect(await other.step(account, [call("early")])).toMatchObject({ send: [] });
    bed.nowMs += 1;
    expect(await other.step(account, [])).toMatchObject({ send: ["early"] });
  });

  it("lets an edit use the calls that are kept back for edits", async () => {
    const account = await bed.opened();
    const [one, other] = [bed.createServer().store, bed.createServer().store];
    await one.step(
      account,
      Array.from({ length: 11 }, (_, number) => call(String(number))),
    );
    expect(await other.step(account, [call("1")])).toMatchObject({ send: [] });
    expect(await other.step(account, [edit("2", "b")])).toMatchObject({ send: ["2"] });
  });

  it("makes a call wait on, before others of its person, if another server was faster", async () => {
    const account = await bed.opened();
    const [one, other] = [bed.createServer().store, bed.createServer().store];
    const many = Array.from({ length: 11 }, (_, number) => call(String(number)));
    await one.step(account, many);
    await one.step(
      account,
      many.map(({ id }) => ({ kind: "ended", id, end: { kind: "answered" } })),
    );
    bed.nowMs += 62_000;
    // Both learn that the window opens in 1,050 ms.
    expect(await other.step(account, [call("1", "b"), call("2", "b")])).toMatchObject({ send: [] });
    expect(await one.step(account, [call("last")])).toMatchObject({ send: [], checkAgainInMs: 1_050 });
    bed.nowMs += 1_050;
    const third = bed.createServer().store;
    await third.step(
      account,
      Array.from({ length: 10 }, (_, number) => call(String(number), "c")),
    );
    // There is room for a single call of the two.
    expect(await other.step(account, [])).toMatchObject({ send: ["1"], rejected: [{ id: "2" }] });
    expect(await one.step(account, [])).toMatchObject({ send: [], rejected: [{ id: "last" }] });
  });

  it("keeps one pace for the bulk of all servers", async () => {
    const account = await bed.opened();
    const [one, other] = [bed.createServer().store, bed.createServer().store];
    expect(await one.step(account, [call("1", "a"), call("2", "b"), call("3", "b")])).toMatchObject({
      send: ["1"],
    });
    expect(await other.step(account, [call("1", "c"), call("2", "d")])).toMatchObject({ send: [] });
    // Eleven of twelve calls in 60 seconds are bulk, so one leaves each 5.6 seconds.
    bed.nowMs += 60_000 / 10.8;
    expect(await other.step(account, [call("3", "c"), call("4", "d")])).toMatchObject({ send: ["3"] });
    expect(await one.step(account, [call("4", "a")])).toMatchObject({ send: [] });
  });

  it("keeps room for the edits of all servers", async () => {
    const account = await bed.opened();
    const [one, other] = [bed.createServer().store, bed.createServer().store];
    for (const person of ["a", "b", "c"]) await one.step(account, [edit(person, person)]);
    await other.step(account, []);
    await other.step(account, [edit("x", "x")]);
    // Twelve edits a minute would need 16.2 calls, but never more than nine tenths are kept, so bulk has 1.2.
    const bulk = ["1", "2", "3"].map((id) => call(id, "x"));
    expect(await other.step(account, bulk)).toMatchObject({ send: ["1", "2"] });
  });

  it("withdraws a call that was approved and never sent", async () => {
    const account = await bed.opened();
    const { store } = bed.createServer();
    await store.step(account, [call("1"), call("2")]);
    const decided = await store.step(account, [{ kind: "cancelled", id: "1" }]);
    expect(decided).toMatchObject({ usage: { used: 1 } });
    expect(await store.usage(account)).toEqual({ used: 1, limit });
  });

  it("stores no people or consumer IDs in Redis, and only what is for all without an expiry", async () => {
    const account = { ...(await bed.opened()), consumerId: "acme-secret" };
    const { store } = bed.createServer();
    await store.step(account, []);
    bed.nowMs += shutMs;
    await store.step(account, [call("1", "somebody"), call("2", "somebody")]);
    await store.step(account, [{ kind: "ended", id: "1", end: { kind: "answered" } }]);
    for (const key of await keysOf(bed.process)) {
      expect(key).not.toMatch(/acme|somebody/);
      if (!isOfAll(key)) expect(await bed.process.command("PTTL", key)).toMatch(/^:[1-9]/);
      expect(await bed.process.command("DUMP", key)).not.toMatch(/acme|somebody/);
    }
  });
});

/** The mark and the number of calls are for all accounts. */
const isOfAll = (key: string) => /^inv:quota (mark|writes)$/.test(key);

/** Leaves what a copy has that has become the Redis: the same keys, and another process. */
async function promote(process: RedisProcess): Promise<void> {
  const [, mark = ""] = (await process.command("GET", "inv:quota mark")).split("\r\n");
  await process.command("SET", "inv:quota mark", mark.replace(/^\S+/, "0123456789abcdef"));
  await process.command("REPLICAOF", "127.0.0.1", "1");
  await process.command("REPLICAOF", "NO", "ONE");
}

/** Makes Redis drop keys for a moment, as a wrong `maxmemory-policy` would. */
async function evictKeys(process: RedisProcess): Promise<void> {
  await process.command("SELECT", "0");
  await process.command("SET", "victim", "x".repeat(10_000), "EX", "1000");
  // The mark has no expiry, so it stays.
  await process.command("CONFIG", "SET", "maxmemory-policy", "volatile-ttl");
  await process.command("CONFIG", "SET", "maxmemory", "1");
  await until(async () => !/evicted_keys:0\r/.test(await process.command("INFO", "stats")));
  await process.command("CONFIG", "SET", "maxmemory", "0");
  await process.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
}

async function keysOf(process: RedisProcess): Promise<string[]> {
  const replied = await process.command("KEYS", "inv:quota*");
  return replied.split("\r\n").filter((line) => line.startsWith("inv:"));
}
