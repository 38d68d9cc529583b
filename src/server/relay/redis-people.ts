/** Who is a person, where several servers share the count: of one address and consumer so many are told apart at all of them. */
import { luaRoom, luaTimes } from "../redis/lua";
import type { Redis } from "../redis/redis";
import { createScript } from "../redis/script";
import { digestOf, newPerson } from "../digest";
import { mostAtOneSite, mostSites, type People } from "./people";

const admitScript = createScript(`${luaTimes}${luaRoom}
local index, crowds, place = KEYS[1], KEYS[2], ARGV[1]
local person, lifetimeMs, others, most, mostPlaces = ARGV[2], tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
local untilMs = nowMs() + lifetimeMs
local crowd, shared = crowds .. place, crowds .. place .. " others"
if not redis.call("ZSCORE", index, place) then
  makeRoom(index, mostPlaces, function(oldest)
    redis.call("DEL", crowds .. oldest, crowds .. oldest .. " others")
  end)
end
redis.call("ZADD", index, "GT", untilMs, place)
lastUntil(index, untilMs)
redis.call("ZREMRANGEBYSCORE", crowd, "-inf", nowMs())
if redis.call("ZCARD", crowd) >= most and not redis.call("ZSCORE", crowd, person) then
  redis.call("SET", shared, others, "NX")
  lastUntil(shared, untilMs)
  return redis.call("GET", shared)
end
redis.call("ZADD", crowd, "GT", untilMs, person)
lastUntil(crowd, untilMs)
return person
`);

export function createRedisPeople(redis: Pick<Redis, "run">, most = mostAtOneSite): People {
  return {
    async admit({ environment, consumerId, address }, before, lifetimeMs) {
      const site = digestOf([environment, address, consumerId].join("\n"));
      const outcome = await redis.run(admitScript, {
        keys: ["crowds", "crowd "],
        args: [site, before ?? newPerson(), Math.round(lifetimeMs), newPerson(), most, mostSites],
      });
      if (outcome.kind === "away") return outcome;
      return { kind: "admitted", person: String(outcome.value) };
    },
  };
}
