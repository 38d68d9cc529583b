/** Lua functions that several scripts share: Redis's clock, and the expiry of keys. */

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
