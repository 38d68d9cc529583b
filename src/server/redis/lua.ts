/** Lua functions that several scripts share: Redis's clock, expiry of keys, and sets with a maximum size. */

/** `nowMs()`, and `lastUntil(key, atMs)`, which never moves the expiry of a key to an earlier time. */
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
 * `makeRoom(index, most, drop)` makes room for one more member in a sorted set whose scores are expiry times. It removes
 * expired members, and drops those that expire first if there would be too many.
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
