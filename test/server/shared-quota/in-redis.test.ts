/**
 * The quota in Redis: guarantees across servers. If the log of sent calls is lost, no call leaves until no earlier call
 * can still count.
 */
import { createRedisQuotaStore } from "../../../src/server/shared-quota/in-redis/redis-quota-store";
import type { CallEvent } from "../../../src/server/shared-quota/step";
import { describeWithRedis, type RedisProcess } from "../../helpers/redis-process";
import { until } from "../../helpers/until";
import { createRedisBed, type RedisBed, shutMs } from "./redis-bed";

const limit = 12;
/** Outcome: this call was sent, and no other call counts. */
const sentFirst = (id: string) => ({ send: [id], usage: { used: 1 } });
const failed = { kind: "failed" };

describeWithRedis("the quota in Redis", () => {
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

  it("sends nothing while the log of a new Redis is shut, reports it once, and then opens", async () => {
    await bed.process.command("FLUSHALL");
    const account = bed.newAccount();
    const [one, other] = [bed.createServer(), bed.createServer()];
    expect(await one.store.step(account, [call("1")])).toEqual({
      kind: "failed",
      retryAfterMs: 60_000,
    });
    bed.nowMs += shutMs - 1_000;
    expect(await other.store.step(account, [call("1")])).toEqual({
      kind: "failed",
      retryAfterMs: 1_000,
    });
    expect((await one.store.step(account, [call("2")])) as object).toMatchObject(failed);
    expect([one.shut, other.shut]).toEqual([[shutMs], [1_000]]);
    bed.nowMs += 1_000;
    expect(await one.store.step(account, [call("3")])).toMatchObject({ send: ["3"] });
    // An account that nobody has used before is open too.
    expect(await other.store.step(bed.newAccount(), [call("1")])).toMatchObject({ send: ["1"] });
  });

  it.each<[string, (keys: readonly string[]) => Promise<unknown>, boolean]>([
    ["when Redis is emptied", () => bed.process.command("FLUSHALL"), true],
    ["when the log is lost", ([log = ""]) => bed.process.command("DEL", log), true],
    ["when its ended calls are lost", ([, ended = ""]) => bed.process.command("DEL", ended), true],
    ["when the marks are lost", () => bed.process.command("DEL", "inv:quota marks"), true],
    [
      "when another Redis was promoted",
      () => bed.process.command("HSET", "inv:quota marks", "mark", "0123456789abcdef 1"),
      true,
    ],
    ["when another version has written the log", ([log = ""]) => bed.process.command(...asOther, log), true],
    ["but not when Redis forgets scripts", () => bed.process.command("SCRIPT", "FLUSH"), false],
  ])("opens only when nothing can count any more %s", async (_, lose, isShut) => {
    const before = new Set(await keysOf(bed.process));
    const account = await bed.opened();
    const { store } = bed.createServer();
    await store.step(account, [call("1"), call("2")]);
    await store.step(account, [{ kind: "ended", id: "1", end: { kind: "answered" } }]);
    const keys = (await keysOf(bed.process)).filter((key) => !before.has(key));
    const byType = [...keys].sort((left, right) => left.length - right.length);
    expect(byType).toHaveLength(before.has("inv:quota marks") ? 2 : 3);
    await lose(byType.filter((key) => !key.endsWith("marks")));
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
      expect(await store.step(account, [call("5")])).toMatchObject(sentFirst("5"));
    }
  });

  it.each([61_000, -61_000, 3_600_000])(
    "shuts at all servers when Redis's time jumps by %i ms, until nothing that was sent before can count",
    async (jumpMs) => {
      const account = await bed.opened();
      const [one, other] = [bed.createServer(), bed.createServer()];
      for (const { store } of [one, other]) await store.step(account, []);
      expect(await one.store.step(account, [call("1"), call("2")])).toMatchObject({
        send: ["1", "2"],
      });
      bed.nowMs += 1_000;
      bed.aheadMs += jumpMs;
      expect(await other.store.step(account, [call("1")])).toMatchObject(failed);
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
    // Logs of accounts that nobody has used are shut for `shutMs` too, not for an hour.
    const later = bed.createServer();
    expect(await later.store.step(bed.newAccount(), [call("1")])).toMatchObject(failed);
    expect(later.shut).toEqual([shutMs]);
    bed.nowMs += shutMs - 1;
    expect(await another.store.step(account, [call("3")])).toMatchObject(failed);
    bed.nowMs += 1;
    expect(await another.store.step(account, [call("4")])).toMatchObject(sentFirst("4"));
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
    }
    expect(shut).toEqual([]);
  });

  it.each([
    ["nothing", null],
    ["the reply of another script", [[], []]],
  ])("sends nothing for %s instead of a reply, and asks again", async (_, value) => {
    const redis = { run: () => Promise.resolve({ kind: "ran" as const, value }), listen: () => undefined };
    const store = createRedisQuotaStore({
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
    const store = createRedisQuotaStore({
      redis: {
        run(_script, { args }) {
          const { server } = JSON.parse(String(args[1])) as { server: string };
          bed.nowMs += tookMs;
          const value = ["decided", "a mark", bed.nowMs, [`${server}.1`], [], -1, 1];
          return Promise.resolve({ kind: "ran" as const, value });
        },
        listen: () => undefined,
      },
      clock: { now: () => bed.nowMs, random: () => 0 },
      limitOf: () => limit,
      onShut: () => undefined,
    });
    expect(await store.step(bed.newAccount(), [call("1")])).toMatchObject(expected);
  });

  it("opens a log at once if the previous one had expired", async () => {
    const before = new Set(await keysOf(bed.process));
    const account = await bed.opened();
    const { store, shut } = bed.createServer();
    await store.step(account, [call("1")]);
    const keys = (await keysOf(bed.process)).filter((key) => !before.has(key) && !key.endsWith("marks"));
    await bed.process.command("DEL", ...keys);
    bed.nowMs += 600_000;
    expect(await store.step(account, [call("2")])).toMatchObject(sentFirst("2"));
    expect(shut).toEqual([]);
  });

  it("counts a dead server's calls for the longest call plus a minute, and removes its queued calls", async () => {
    const account = await bed.opened();
    const [dead, other] = [bed.createServer().store, bed.createServer().store];
    await dead.step(
      account,
      Array.from({ length: limit }, (_, number) => call(String(number))),
    );
    const { usage } = (await dead.step(account, [])) as { usage: object };
    expect(usage).toEqual({ used: 11, limit });
    bed.nowMs += 60_000;
    expect(await other.step(account, [])).toMatchObject({ usage: { used: 11 } });
    bed.nowMs += 60_000;
    await dead.step(account, [call("waits", "dead"), call("waits too", "dead")]);
    expect(await other.step(account, [])).toMatchObject({ usage: { used: 11 } });
    bed.nowMs += 51;
    expect(await other.step(account, [])).toMatchObject({ usage: { used: 0 } });
    bed.nowMs += 3_000;
    await other.step(account, [call("behind", "dead")]);
    expect(await other.step(account, [])).toMatchObject({
      usage: { used: 1 },
      checkAgainInMs: null,
    });
  });

  it("notifies the server whose call is next, and sends no other call first", async () => {
    const account = await bed.opened();
    const [one, other] = [bed.createServer(), bed.createServer()];
    await one.store.step(
      account,
      Array.from({ length: 11 }, (_, number) => call(String(number), "busy")),
    );
    for (let id = 0; id < 11; id += 1) {
      await one.store.step(account, [{ kind: "ended", id: String(id), end: { kind: "answered" } }]);
    }
    bed.nowMs += 59_000;
    expect(await other.store.step(account, [call("first", "new")])).toMatchObject({
      send: [],
    });
    expect(await one.store.step(account, [call("second", "busy")])).toMatchObject({
      send: [],
    });
    expect(other.told).toEqual([]);
    bed.nowMs += 1_050;
    expect(await one.store.step(account, [])).toMatchObject({ send: [], checkAgainInMs: 100 });
    await until(() => other.told.length === 1);
    expect(other.told).toEqual([account]);
    expect(await other.store.step(account, [])).toMatchObject({ send: ["first"] });
    await until(() => one.told.length === 1);
    expect(await one.store.step(account, [])).toMatchObject({ send: ["second"] });
  });

  it("withdraws a call that was approved and never sent", async () => {
    const account = await bed.opened();
    const { store } = bed.createServer();
    await store.step(account, [call("1"), call("2")]);
    const decided = await store.step(account, [{ kind: "cancelled", id: "1" }]);
    expect(decided).toMatchObject({ usage: { used: 1 } });
    expect(await store.usage(account)).toEqual({ used: 1, limit });
  });

  it("stores no people or consumer IDs in Redis, and nothing without an expiry", async () => {
    const account = { ...(await bed.opened()), consumerId: "acme-secret" };
    const { store } = bed.createServer();
    await store.step(account, []);
    bed.nowMs += shutMs;
    await store.step(account, [call("1", "somebody"), call("2", "somebody")]);
    await store.step(account, [{ kind: "ended", id: "1", end: { kind: "answered" } }]);
    for (const key of await keysOf(bed.process)) {
      expect(key).not.toMatch(/acme|somebody/);
      if (!key.endsWith("marks")) expect(await bed.process.command("PTTL", key)).toMatch(/^:[1-9]/);
      expect(await bed.process.command("DUMP", key)).not.toMatch(/acme|somebody/);
    }
  });
});

const asOther = [
  "EVAL",
  `local log = cmsgpack.unpack(redis.call("GET", KEYS[1]))
  log.format = log.format + 1
  redis.call("SET", KEYS[1], cmsgpack.pack(log), "KEEPTTL")`,
  "1",
] as const;

async function keysOf(process: RedisProcess): Promise<string[]> {
  const replied = await process.command("KEYS", "inv:quota*");
  return replied.split("\r\n").filter((line) => line.startsWith("inv:"));
}
