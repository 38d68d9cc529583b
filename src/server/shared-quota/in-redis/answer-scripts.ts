/**
 * The atomic scripts for answers and leases in Redis. For each scope (a consumer's store), one hash contains the newest
 * record of each item, as `<askedAtMs> <fetchedAtMs> <record>`, and another the lease of the call that will bring it.
 * Leases that no longer exist are ignored.
 */
import { createScript, luaTimes } from "../../redis/script";

/**
 * Returns the answer without its items, rows of a record's position (counted from 1), ages and text, and items that other
 * calls will bring: a lease and positions. All other items are leased to the caller.
 */
export const findScript = createScript(`${luaTimes}
local items, leased, leases = KEYS[1], KEYS[2], KEYS[3]
local lease, maxAgeMs, leasedForMs, longestMs = ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local values = {unpack(ARGV, 5)}
local now = nowMs()
local known, missing, fields = {}, {}, {}
local stored = maxAgeMs > 0 and redis.call("HMGET", items, "around", unpack(values)) or {}
for place, value in ipairs(values) do
  local asked, fetched, record
  local text = stored[place + 1]
  if text then asked, fetched, record = string.match(text, "^(%d+) (%d+) (.+)$") end
  -- An answer from the future comes from before the clock was set back.
  if asked and now - asked >= 0 and now - asked <= maxAgeMs then
    table.insert(known, {place, now - asked, now - fetched, record})
  else
    table.insert(missing, place)
    table.insert(fields, value)
  end
end
local around = stored[1] or ""
if #missing == 0 then return {around, known, {}} end
local holders = maxAgeMs > 0 and redis.call("HMGET", leased, unpack(fields)) or {}
local ofOthers, groups, own = {}, {}, {}
for index, place in ipairs(missing) do
  local holder = holders[index]
  if holder and groups[holder] == nil then
    local since = redis.call("GET", leases .. holder)
    groups[holder] = since and now - since <= maxAgeMs and {holder} or false
    if groups[holder] then table.insert(ofOthers, groups[holder]) end
  end
  if holder and groups[holder] then
    table.insert(groups[holder], place)
  else
    table.insert(own, values[place])
    table.insert(own, lease)
  end
end
if #own > 0 then
  redis.call("HSET", leased, unpack(own))
  lastUntil(leased, now + longestMs)
  redis.call("SET", leases .. lease, now, "PX", leasedForMs)
end
return {around, known, ofOthers}
`);

export const renewScript = createScript(`
for index = 2, #ARGV do redis.call("PEXPIRE", KEYS[1] .. ARGV[index], ARGV[1]) end
`);

/** `endLease(leased, leases, channel, lease, values)` ends a lease and publishes that. */
const luaEndLease = `
local function endLease(leased, leases, channel, lease, values)
  local own = {}
  for index, holder in ipairs(redis.call("HMGET", leased, unpack(values))) do
    if holder == lease then table.insert(own, values[index]) end
  end
  if #own > 0 then redis.call("HDEL", leased, unpack(own)) end
  redis.call("DEL", leases .. lease)
  redis.call("PUBLISH", channel, lease)
end
`;

export const freeScript = createScript(`${luaEndLease}
endLease(KEYS[1], KEYS[2], KEYS[3], ARGV[1], {unpack(ARGV, 2)})
`);

/**
 * Stores an answer, then ends its lease. A record never replaces one that was requested later. If there are more bytes
 * than allowed, the scopes that were written longest ago are removed.
 */
export const keepScript = createScript(`${luaTimes}${luaEndLease}
local prefix, leased, leases, written, sizes, channel = unpack(KEYS)
local lease, scope, around = ARGV[1], ARGV[2], ARGV[9]
local most, keptForMs, costOfItem, costOfScope = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7], ARGV[8]
local now = nowMs()
local asked, fetched = now - ARGV[3], now - ARGV[4]
local items = prefix .. scope
local values, texts = {}, {}
for at = 10, #ARGV, 2 do
  table.insert(values, ARGV[at])
  table.insert(texts, string.format("%.0f %.0f ", asked, fetched) .. ARGV[at + 1])
end

local function drop(name)
  redis.call("HINCRBY", sizes, "all", -(redis.call("HGET", sizes, name) or 0))
  redis.call("HDEL", sizes, name)
  redis.call("ZREM", written, name)
  redis.call("UNLINK", prefix .. name)
end

for _, name in ipairs(redis.call("ZRANGEBYSCORE", written, "-inf", now - keptForMs, "LIMIT", 0, 100)) do drop(name) end
local fields, added = {"around", around}, costOfScope * (1 - redis.call("EXISTS", items))
for at, before in ipairs(redis.call("HMGET", items, unpack(values))) do
  if not before or tonumber(string.match(before, "^%d+")) <= asked then
    table.insert(fields, values[at])
    table.insert(fields, texts[at])
    added = added + #texts[at] - (before and #before or -costOfItem)
  end
end
if #fields > 2 then
  redis.call("HSET", items, unpack(fields))
  redis.call("ZADD", written, now, scope)
  redis.call("HINCRBY", sizes, scope, added)
  redis.call("HINCRBY", sizes, "all", added)
  for _, key in ipairs({items, written, sizes}) do redis.call("PEXPIRE", key, keptForMs) end
end
while tonumber(redis.call("HGET", sizes, "all") or 0) > most do
  local oldest = redis.call("ZRANGE", written, 0, 0)[1]
  if not oldest then
    redis.call("DEL", sizes)
    break
  end
  drop(oldest)
end
endLease(leased, leases, channel, lease, values)
`);
