/**
 * What several scripts begin with: Redis's own time, which all servers share; an end for every key; and room in a set
 * that INV bounds, where who ends first goes first.
 */

/** `nowMs()`, and `lastUntil(key, atMs)`, which never ends a key sooner than was said before. */
export const luaTimes = `
local function nowMs()
  local time = redis.call("TIME")
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function lastUntil(key, atMs)
  if redis.call("PTTL", key) == -1 then redis.call("PEXPIREAT", key, atMs)
  else redis.call("PEXPIREAT", key, atMs, "GT") end
end
`;

/**
 * `makeRoom(index, most, drop)`: for one more beside the members of a sorted set whose scores are their ends. Those
 * that have ended are forgotten, those that would be too many are dropped.
 */
export const luaRoom = `
local function makeRoom(index, most, drop)
  redis.call("ZREMRANGEBYSCORE", index, "-inf", nowMs())
  local over = redis.call("ZCARD", index) + 1 - most
  if over < 1 then return end
  local oldest = redis.call("ZPOPMIN", index, over)
  for place = 1, #oldest, 2 do drop(oldest[place]) end
end
`;
