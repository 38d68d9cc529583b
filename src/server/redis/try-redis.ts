/** Tests a configured Redis before the start: login, rights for all that INV does there, and whether its settings are safe. */
import { createRedisStore } from "../keyed-store/in-redis";
import { createRedisAnswers } from "../shared-quota/in-redis/redis-answers";
import { createSharedWindow } from "../shared-quota/in-redis/shared-window";
import type { SteadyClock } from "../steady-clock";
import type { RedisConfig } from "../settings/read";
import type { Variables } from "../sign-in/secret";
import { redisAddress, redisLogin } from "./configured";
import { connectRedis } from "./connect";
import { faultsOfInfo } from "./info";
import type { Redis } from "./redis";

export async function tryRedis(
  config: RedisConfig & { readonly cacheMegabytes: number },
  clock: SteadyClock,
  variables?: Variables,
): Promise<readonly string[]> {
  let onTested: () => void = () => undefined;
  const tested = new Promise<void>((resolve) => (onTested = resolve));
  const reasons: string[] = [];
  const redis = await connectRedis({
    address: redisAddress(config),
    readLogin: redisLogin(config, variables),
    prefix: config.prefix,
    clock,
    observer: {
      available: () => onTested(),
      doubtful: () => undefined,
      away(why) {
        reasons.push(why);
        onTested();
      },
    },
  });
  await tested;
  const info = reasons.length === 0 ? await useAll(redis, clock) : null;
  await redis.close();
  const [reason = "it does not answer"] = reasons;
  const faults = info === null ? [reason] : faultsOfInfo(info, config);
  // Some messages of Redis end with a full stop.
  return faults.map((fault) => `redis cannot be used: ${fault.replace(/\.$/, "")}.`);
}

/** Uses everything that INV needs, so that a missing right shows now. Returns Redis's `INFO`, or null if something failed. */
async function useAll(redis: Redis, clock: SteadyClock): Promise<string | null> {
  const name = "tried";
  // Longer than a slow Redis takes for all of it. What is left then expires.
  const lastsMs = 60_000;
  const store = createRedisStore(redis);
  const indexes = [{ name: "all tried", maxEntries: 1 }];
  const entry = { text: "", secret: { key: "", text: "" }, lastsMs, idleMs: lastsMs, tries: 1, indexes };
  await store.put("tried before", entry);
  await store.put(name, { ...entry, parent: name });
  await store.replace(name, { text: "" });
  await store.list("all tried");
  await store.get(name);
  await store.delete("tried before");
  await store.claim("tried claim", lastsMs);

  const answers = createRedisAnswers({ redis, maxBytes: 1 });
  const value = "1".padStart(14, "0");
  const others = ["2".padStart(14, "0")];
  await answers.find("tried", [value, ...others], { claim: name, maxAgeMs: lastsMs });
  await answers.release("tried", others, name);
  const query = { itemType: "gtin", storeNumber: 10, values: [value] } as const;
  const item = { gtin: value, data_retrieval_status: "ERROR", reason: "No data found" };
  const body = Buffer.from(JSON.stringify({ store_nbr: 10, items: [item] }));
  await answers.keep("tried", { query, body, askedAgoMs: 0, fetchedAgoMs: 0 }, name);

  const quota = createSharedWindow({ redis, clock, limitOf: () => 1, onShut: () => undefined });
  const account = { environment: "tried", consumerId: "", operation: "search" } as const;
  await quota.step(account, [{ kind: "arrived", id: "1", asker: { person: "", isEdit: false } }]);
  await quota.step(account, [{ kind: "cancelled", id: "1" }]);

  const outcome = await redis.send([
    ["PING", []],
    ["INFO", []],
  ]);
  return outcome.kind === "replied" ? String(outcome.replies[1]) : null;
}
