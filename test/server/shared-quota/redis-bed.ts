/** A Redis for one test, servers that share a quota in it, and a time and a chance that the test controls. */
import { readFileSync } from "node:fs";
import type { Account } from "../../../src/server/shared-quota/call";
import {
  createSharedWindow,
  type SharedWindow,
} from "../../../src/server/shared-quota/in-redis/shared-window";
import { redisAddress } from "../../../src/server/redis/configured";
import { connectRedis } from "../../../src/server/redis/connect";
import { documentedRedis, redisPassword, redisUser } from "../../drills/documented-redis";
import { movedRedis } from "../../helpers/moved-redis";
import { type RedisProcess, startRedis } from "../../helpers/redis-process";
import { until } from "../../helpers/until";
import { unhurried } from "../parts";

/** The longest call, plus a minute, plus what Redis's clock may go forward unnoticed. */
export const shutMs = 123_050;

export interface RedisBed {
  readonly process: RedisProcess;
  nowMs: number;
  /** How far Redis's clock is ahead of the servers' clock. */
  aheadMs: number;
  chance: number;
  createServer(): SharingServer;
  newAccount(): Account;
  /** A new account whose window is open. */
  opened(): Promise<Account>;
  /** Kills Redis, and starts it again with what it has written to its own file. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

interface SharingServer {
  readonly store: SharedWindow;
  /** What this server said each time about how long nothing is sent. */
  readonly shut: readonly number[];
}

/** @param isDocumented whether Redis is configured as in docs/several-servers.md. Then it takes no `command`. */
export async function createRedisBed(limit: number, isDocumented = false): Promise<RedisBed> {
  const secured = isDocumented ? documentedRedis() : null;
  const process = await startRedis({
    ...secured?.options,
    arguments: [...(secured?.options.arguments ?? ["--appendonly", "yes"]), "--appendfsync", "always"],
  });
  const ca = secured === null ? null : [readFileSync(secured.certPath, "utf8")];
  const login = secured === null ? {} : { username: redisUser, password: redisPassword };
  const connect = async () => {
    const redis = await connectRedis({
      address: redisAddress({ url: process.url, ca }),
      readLogin: () => Promise.resolve(login),
      prefix: "inv:",
      clock: unhurried,
      observer: { available: () => undefined, away: () => undefined, doubtful: () => undefined },
    });
    await until(() => redis.isAvailable);
    return redis;
  };
  let redis = await connect();
  let accounts = 0;
  const bed: RedisBed = {
    process,
    nowMs: 1_795_000_000_000,
    aheadMs: 0,
    chance: 0,
    createServer() {
      const shut: number[] = [];
      const store = createSharedWindow({
        redis: { run: (...given) => movedRedis(redis, () => bed.nowMs + bed.aheadMs).run(...given) },
        clock: { now: () => bed.nowMs, random: () => bed.chance },
        limitOf: () => limit,
        onShut: (opensInMs) => shut.push(opensInMs),
      });
      return { store, shut };
    },
    newAccount() {
      accounts += 1;
      return { environment: "production", consumerId: `acme-${accounts}`, operation: "search" };
    },
    async opened() {
      const account = bed.newAccount();
      await bed
        .createServer()
        .store.step(account, [{ kind: "arrived", id: "opens", asker: { person: "opener", isEdit: false } }]);
      bed.nowMs += shutMs;
      return account;
    },
    async restart() {
      await process.crash();
      await redis.close();
      await process.restart();
      redis = await connect();
    },
    async close() {
      await redis.close();
      await process.kill();
    },
  };
  return bed;
}
