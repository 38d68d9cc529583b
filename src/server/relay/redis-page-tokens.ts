/**
 * The tokens of pages where several servers share them. Redis holds a digest of each, whose it is, and the service's
 * token sealed with the page's own, which only the page has: who reads all of Redis can call neither INV nor the service.
 * Name and seal are bound to the environment's addresses: a server that sends elsewhere can't use the token.
 * One round trip finds a token and whether the session that opened it still lasts.
 */
import { luaRoom, luaTimes } from "../redis/lua";
import type { Redis } from "../redis/redis";
import { createScript } from "../redis/script";
import { seal, unseal } from "../redis/sealed";
import type { Bind } from "../bound-environment";
import { digestOf } from "../digest";
import { type FoundToken, type PageTokens, rememberedMs } from "./page-tokens";

export interface RedisPageTokensOptions {
  readonly redis: Pick<Redis, "run">;
  readonly bind: Bind;
  /** The key that is there as long as the session of this person lasts. */
  readonly sessionKey: (person: string) => string;
  /** Of a consumer in an environment; beyond that those that end first are forgotten. */
  readonly most?: number;
}

const keepScript = createScript(`${luaTimes}${luaRoom}
local index, tokens = KEYS[1], KEYS[2]
local digest, lifetimeMs, rememberedMs, most = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
makeRoom(index, most, function(oldest) redis.call("DEL", tokens .. oldest) end)
local endsAtMs = nowMs() + lifetimeMs
local key = tokens .. digest
redis.call("HSET", key, "consumer", ARGV[5], "person", ARGV[6], "sealed", ARGV[7], "session", ARGV[8],
  "ends", endsAtMs, "newcomer", ARGV[9], "newcomerUntil", nowMs() + ARGV[10])
redis.call("PEXPIREAT", key, endsAtMs + rememberedMs)
redis.call("ZADD", index, endsAtMs + rememberedMs, digest)
lastUntil(index, endsAtMs + rememberedMs)
`);

const findScript = createScript(`${luaTimes}
local found = redis.call("HMGET", KEYS[1], "consumer", "person", "sealed", "session", "ends",
  "newcomer", "newcomerUntil")
local consumer, person, sealed, session, ends, newcomer, newcomerUntil = unpack(found)
if not consumer then return {} end
local isOver = nowMs() >= tonumber(ends)
if session == "1" and redis.call("EXISTS", KEYS[2] .. person) == 0 then isOver = true end
return {consumer, person, not isOver and sealed or "", newcomer, newcomerUntil - nowMs()}
`);

const endScript = createScript(`return redis.call("HDEL", KEYS[1], "sealed")`);

export function createRedisPageTokens(options: RedisPageTokensOptions): PageTokens {
  const { redis, bind, sessionKey, most = 10_000 } = options;
  const keyOf = (environment: string, token: string) => `token ${bind(environment)} ${digestOf(token)}`;
  const aboutOf = (environment: string, consumerId: string) => `token ${bind(environment)} ${consumerId}`;

  function read(token: string, environment: string, value: unknown): FoundToken {
    const [consumerId, person, sealed, name, forMs] = value as readonly Buffer[];
    if (consumerId === undefined || person === undefined || sealed === undefined) return { kind: "unknown" };
    const newcomer = Number(forMs) > 0 ? { name: String(name), forMs: Number(forMs) } : null;
    const holder = { consumerId: consumerId.toString(), person: person.toString(), newcomer };
    if (sealed.length === 0) return { kind: "ended", holder };
    const serviceToken = unseal(token, aboutOf(environment, holder.consumerId), sealed);
    return serviceToken === null ? { kind: "unknown" } : { kind: "known", holder, serviceToken };
  }

  return {
    async keep(environment, token, { consumerId, person, newcomer, serviceToken, isBySession, lifetimeMs }) {
      const sealed = seal(token, aboutOf(environment, consumerId), serviceToken);
      const { name = "", forMs = 0 } = newcomer ?? {};
      const of = [consumerId, person, sealed, isBySession ? 1 : 0, name, forMs];
      const outcome = await redis.run(keepScript, {
        keys: [
          `tokens ${bind(environment)} ${digestOf(consumerId.toLowerCase())}`,
          `token ${bind(environment)} `,
        ],
        args: [digestOf(token), Math.round(lifetimeMs), rememberedMs, most, ...of],
      });
      return outcome.kind === "ran" ? "kept" : "away";
    },
    async find(environment, token) {
      const keys = [keyOf(environment, token), sessionKey("")];
      const outcome = await redis.run(findScript, { keys, args: [], isBinary: true });
      return outcome.kind === "away" ? outcome : read(token, environment, outcome.value);
    },
    async end(environment, token) {
      const outcome = await redis.run(endScript, { keys: [keyOf(environment, token)], args: [] });
      return outcome.kind === "ran" ? "ended" : "away";
    },
  };
}
