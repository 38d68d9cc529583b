/**
 * Refused token requests where several servers share the count: who guesses gets no more tries at all of them than at one.
 * A request waits its turn at its own server first, so that of one address and client ID no more than could still be refused
 * ever ask Redis. There those that are not answered yet are counted too, and who finds no room asks again a moment later.
 */
import type { SteadyClock } from "../company/clock";
import { digestOf, unguessable } from "../digest";
import { luaRoom, luaTimes } from "../redis/lua";
import type { Redis } from "../redis/redis";
import { createScript } from "../redis/script";
import {
  type Permission,
  hangsAfterMs,
  maxRemembered,
  mostRefusalsOfAnAddress,
  mostRefusalsOfAnId,
  type TokenRefusals,
  withinMs,
} from "./token-refusals";

export interface RedisTokenRefusalsOptions {
  readonly redis: Pick<Redis, "run">;
  readonly clock: Pick<SteadyClock, "setTimeout">;
  /** This server's own. */
  readonly own: TokenRefusals;
}

const asksAgainMs = 200;
const [refused, begun] = ["guesses ", "guessing "];
/** Addresses and IDs together. */
const mostInRedis = 2 * maxRemembered;

/** Whoever is remembered has two sets: when requests were refused, and when those began that are not answered yet. */
const admitScript = createScript(`${luaTimes}${luaRoom}
local all, refused, begun = KEYS[1], KEYS[2], KEYS[3]
local try, withinMs, hangsMs, mostOfAll = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = nowMs()
local hasRoom = true
for at = 5, #ARGV, 2 do
  local who, most = ARGV[at], tonumber(ARGV[at + 1])
  redis.call("ZREMRANGEBYSCORE", refused .. who, "-inf", now - withinMs)
  redis.call("ZREMRANGEBYSCORE", begun .. who, "-inf", now - withinMs)
  local count = redis.call("ZCARD", refused .. who)
  if count >= most then return redis.call("ZRANGE", refused .. who, 0, 0, "WITHSCORES")[2] + withinMs - now end
  local left = most - count
  if redis.call("ZCARD", begun .. who) >= left + most then hasRoom = false end
  if redis.call("ZCOUNT", begun .. who, "(" .. (now - hangsMs), "+inf") >= left then hasRoom = false end
end
if not hasRoom then return -1 end
for at = 5, #ARGV, 2 do
  local who = ARGV[at]
  if not redis.call("ZSCORE", all, who) then
    makeRoom(all, mostOfAll, function(oldest) redis.call("DEL", refused .. oldest, begun .. oldest) end)
  end
  redis.call("ZADD", all, now + 2 * withinMs, who)
  redis.call("ZADD", begun .. who, now, try)
  lastUntil(all, now + 2 * withinMs)
  lastUntil(begun .. who, now + withinMs)
end
return 0
`);

const settleScript = createScript(`${luaTimes}
local refused, begun, try, withinMs, wasRefused = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2]), ARGV[3]
for at = 4, #ARGV do
  redis.call("ZREM", begun .. ARGV[at], try)
  if wasRefused == "1" then
    redis.call("ZADD", refused .. ARGV[at], nowMs(), try)
    lastUntil(refused .. ARGV[at], nowMs() + withinMs)
  end
end
`);

export function createRedisTokenRefusals({ redis, clock, own }: RedisTokenRefusalsOptions): TokenRefusals {
  const ownTries = unguessable();
  let tries = 0;

  async function admitEverywhere(who: readonly [address: string, id: string]): Promise<Permission> {
    const [address, id] = who;
    const attempt = `${ownTries}.${(tries += 1)}`;
    for (;;) {
      const outcome = await redis.run(admitScript, {
        keys: ["guessers", refused, begun],
        args: [
          ...[attempt, withinMs, hangsAfterMs, mostInRedis],
          ...[address, mostRefusalsOfAnAddress, id, mostRefusalsOfAnId],
        ],
      });
      if (outcome.kind === "away") return outcome;
      const waitMs = Number(outcome.value);
      if (waitMs > 0) return { kind: "refused", waitSeconds: Math.ceil(waitMs / 1_000) };
      if (waitMs === 0) return { kind: "go", settle: (wasRefused) => settle(attempt, who, wasRefused) };
      await new Promise<void>((resolve) => clock.setTimeout(resolve, asksAgainMs));
    }
  }

  /** Nobody waits for it, and what comes next on the same way comes after it. */
  function settle(attempt: string, who: readonly string[], wasRefused: boolean): void {
    const args = [attempt, withinMs, wasRefused ? 1 : 0, ...who];
    void redis.run(settleScript, { keys: [refused, begun], args });
  }

  return {
    async admit(caller) {
      const here = await own.admit(caller);
      if (here.kind !== "go") return here;
      const address = digestOf(caller.address);
      const everywhere = await admitEverywhere([address, digestOf(`${caller.address} ${caller.id}`)]);
      if (everywhere.kind !== "go") {
        here.settle(false);
        return everywhere;
      }
      return {
        kind: "go",
        settle(wasRefused) {
          everywhere.settle(wasRefused);
          here.settle(wasRefused);
        },
      };
    },
  };
}
