/** The time without calls after a new Redis: it begins with the server, and the server says so. */
import { movedRedis } from "../../helpers/moved-redis";
import { describeWithRedis, type RedisProcess, startRedis } from "../../helpers/redis-process";
import { until } from "../../helpers/until";
import { redisAddress } from "../../../src/server/redis/configured";
import { connectRedis } from "../../../src/server/redis/connect";
import { createSharedWindow } from "../../../src/server/shared-quota/in-redis/shared-window";
import { openApp } from "../beds";
import { clockOf, settings, silentLog, unhurried } from "../parts";

describeWithRedis("a server whose Redis is new", () => {
  let redis: RedisProcess;
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(() => redis.kill());

  async function open() {
    const warnings: (readonly [unknown, string])[] = [];
    const app = await openApp({
      config: settings({ redis: { url: redis.url, prefix: "inv:", ca: null } }),
      now: () => performance.now(),
      log: { ...silentLog, warn: (fields, message) => void warnings.push([fields, message]) },
    });
    const silence = async () =>
      Number(/^inv_redis_silence_seconds (\d+)$/m.exec(await app.core.metrics.text())?.[1]);
    const isDegraded = async () => {
      const { body } = await app.inject({ url: "/readyz", headers: { host: "localhost" } });
      return body.includes('"degraded":true,"because":["redis-silence"]');
    };
    await until(() => app.core.redis?.isAvailable === true);
    return { app, warnings, silence, isDegraded };
  }

  it("says until when nothing is sent, before anybody asks", async () => {
    const { app, warnings, silence, isDegraded } = await open();
    // It looks with two requests, and later ones of the same connection are answered later.
    for (let request = 0; request < 10; request += 1) await app.core.redis?.send([["EXISTS", ["any"]]]);
    expect(await silence()).toBeGreaterThan(100);
    expect(await silence()).toBeLessThanOrEqual(124);
    expect(await isDegraded()).toBe(true);
    expect(warnings).toEqual([
      [{ seconds: 124 }, expect.stringMatching("is new, or has lost the log of sent requests")],
    ]);
    await app.close();
  });

  it("is not degraded when that time is over, in another server either", async () => {
    const early = await connectRedis({
      address: redisAddress({ url: redis.url, ca: null }),
      readLogin: () => Promise.resolve({}),
      prefix: "inv:",
      clock: unhurried,
      observer: { available: () => undefined, away: () => undefined, doubtful: () => undefined },
    });
    await until(() => early.isAvailable);
    const longAgo = () => Date.now() - 200_000;
    await createSharedWindow({
      redis: movedRedis(early, longAgo),
      clock: clockOf(longAgo),
      limitOf: () => 1,
      onShut: () => undefined,
    }).look();
    await early.close();
    const { app, warnings, silence, isDegraded } = await open();
    await until(async () => !(await isDegraded()));
    expect([await silence(), warnings]).toEqual([0, []]);
    await app.close();
  });
});
