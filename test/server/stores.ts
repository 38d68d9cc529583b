/**
 * Runs tests of a store in both places: in this process, and in a real Redis, where each server has its own connection. Each
 * test starts with an empty place.
 */
import { randomUUID } from "node:crypto";
import { createMemoryStore } from "../../src/server/keyed-store/in-memory";
import { createRedisStore } from "../../src/server/keyed-store/in-redis";
import type { KeyedStore } from "../../src/server/keyed-store/keyed-store";
import { redisAddress } from "../../src/server/redis/configured";
import { connectRedis } from "../../src/server/redis/connect";
import type { Redis } from "../../src/server/redis/redis";
import { describeWithRedis, type RedisProcess, startRedis } from "../helpers/redis-process";
import { clockOf, unhurried } from "./parts";

export interface StorePlace {
  /** The connection of one server; null if the store is in this process. */
  connect(): Promise<Redis | null>;
}

export interface RedisPlace {
  connect(): Promise<Redis>;
  /** The whole content: keys, and values as Redis returns them. */
  content(): Promise<string>;
}

export function describeStores(title: string, tests: (place: StorePlace) => void): void {
  describe(`${title}, in memory`, () => tests({ connect: () => Promise.resolve(null) }));
  describeInRedis(`${title}, in Redis`, tests);
}

/** The stores of two servers. In this process, both are the same store. */
export async function ofTwoServers<T>(
  place: StorePlace,
  { inProcess, inRedis }: { readonly inProcess: () => T; readonly inRedis: (redis: Redis) => T },
): Promise<readonly [T, T]> {
  const redis = await place.connect();
  if (redis !== null) return [inRedis(redis), inRedis((await place.connect())!)];
  const own = inProcess();
  return [own, own];
}

export function keyedStores(place: StorePlace): Promise<readonly [KeyedStore, KeyedStore]> {
  return ofTwoServers(place, { inProcess: () => createMemoryStore(clockOf()), inRedis: createRedisStore });
}

export function describeInRedis(title: string, tests: (place: RedisPlace) => void): void {
  describeWithRedis(title, () => {
    let server: RedisProcess;
    let prefix: string;
    const opened: Redis[] = [];
    beforeAll(async () => {
      server = await startRedis();
    });
    beforeEach(() => {
      prefix = `${randomUUID()}:`;
    });
    afterEach(async () => {
      for (const redis of opened.splice(0)) await redis.close();
    });
    afterAll(() => server.kill());

    tests({
      async connect() {
        const address = redisAddress({ url: server.url, ca: null });
        const redis = await new Promise<Redis>((resolve, reject) => {
          const connected = connectRedis({
            address,
            readLogin: () => Promise.resolve({}),
            prefix,
            clock: unhurried,
            observer: {
              available: () => void connected.then(resolve),
              doubtful: () => undefined,
              away: (reason) => reject(new Error(reason)),
            },
          });
        });
        opened.push(redis);
        return redis;
      },
      content: async () => {
        const keys = (await server.command("KEYS", `${prefix}*`))
          .split("\r\n")
          .filter((line) => line.includes(prefix));
        const all = await Promise.all(
          keys.map(async (key) => {
            const type = (await server.command("TYPE", key)).trim();
            const read =
              { "+hash": ["HGETALL"], "+zset": ["ZRANGE", "0", "-1"], "+string": ["GET"] }[type] ?? [];
            const [command = "TYPE", ...rest] = read;
            const ends = await server.command("PTTL", key);
            return [key, ends.trim(), await server.command(command, key, ...rest)].join("\n");
          }),
        );
        return all.join("\n");
      },
    });
  });
}
