/**
 * The atomic scripts for answers and leases in Redis. An answer is a hash of its items' records. For each scope, one hash
 * names the newest answer of each item, and another the lease of the call that will bring it. Names of answers and
 * leases that no longer exist are ignored.
 */
import { luaTimes } from "../../redis/lua";
import { createScript } from "../../redis/script";

/**
 * Returns records grouped by answer, and items that other calls will bring grouped by lease, with the items' positions
 * counted from 1. All other items are leased to the caller.
 */
export const findScript = createScript(`${luaTimes}
local newest, leased, answers, leases = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local lease, maxAgeMs, leasedForMs, longestMs = ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local values = {unpack(ARGV, 5)}
local now = nowMs()
local missing, wanted = {}, {}
local pointers = maxAgeMs > 0 and redis.call("HMGET", newest, unpack(values)) or {}
for place = 1, #values do
  local asked, fetched, answer
  if pointers[place] then asked, fetched, answer = string.match(pointers[place], "^(%d+) (%d+) (.+)$") end
  -- An answer from the future comes from before the clock was set back.
  if asked and now - asked >= 0 and now - asked <= maxAgeMs then
    wanted[answer] = wanted[answer] or {asked = asked, fetched = fetched, places = {}, fields = {"around"}}
    table.insert(wanted[answer].places, place)
    table.insert(wanted[answer].fields, values[place])
  else
    table.insert(missing, place)
  end
end
local known = {}
for answer, from in pairs(wanted) do
  local records = redis.call("HMGET", answers .. answer, unpack(from.fields))
  local group = {records[1], now - from.asked, now - from.fetched}
  for index, place in ipairs(from.places) do
    local record = records[1] and records[index + 1]
    if record then
      table.insert(group, place)
      table.insert(group, record)
    else
      table.insert(missing, place)
    end
  end
  if #group > 3 then table.insert(known, group) end
end
if #missing == 0 then return {known, {}} end
local fields = {}
for index, place in ipairs(missing) do fields[index] = values[place] end
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
return {known, ofOthers}
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

/** Stores an answer, then ends its lease. An answer never replaces one that was requested later. */
export const keepScript = createScript(`${luaTimes}${luaEndLease}
local newest, leased, answers, leases, index, total, channel, newests = unpack(KEYS)
local lease, name, bytes, most, keptForMs = ARGV[1], ARGV[2], tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local now = nowMs()
local asked, fetched = now - ARGV[3], now - ARGV[4]
local pairsAt = 9
local values, records = {}, {}
for at = pairsAt, #ARGV, 2 do
  table.insert(values, ARGV[at])
  table.insert(records, ARGV[at + 1])
end

local function drop(answer)
  local size, scope = unpack(redis.call("HMGET", answers .. answer, "bytes", "scope"))
  if not size then return end
  local fields = {}
  for _, field in ipairs(redis.call("HKEYS", answers .. answer)) do
    if string.match(field, "^%d") then table.insert(fields, field) end
  end
  if #fields > 0 then
    local stale = {}
    for at, pointer in ipairs(redis.call("HMGET", newests .. scope, unpack(fields))) do
      if pointer and string.match(pointer, "(%S+)$") == answer then table.insert(stale, fields[at]) end
    end
    if #stale > 0 then redis.call("HDEL", newests .. scope, unpack(stale)) end
  end
  redis.call("DEL", answers .. answer)
end
-- A member contains its bytes, because the answer itself may have expired.
local function dropMember(member)
  local answer, size = string.match(member, "^(%S+) (%d+)$")
  drop(answer)
  redis.call("ZREM", index, member)
  redis.call("DECRBY", total, size)
end

for _, member in ipairs(redis.call("ZRANGEBYSCORE", index, "-inf", now - keptForMs, "LIMIT", 0, 100)) do
  dropMember(member)
end
if bytes <= most then
  while tonumber(redis.call("GET", total) or 0) + bytes > most do
    local oldest = redis.call("ZRANGE", index, 0, 0)[1]
    if not oldest then
      redis.call("DEL", total)
      break
    end
    dropMember(oldest)
  end
  local content, pointers, replaced = {}, {}, {}
  local pointer = string.format("%.0f %.0f %s", asked, fetched, lease)
  for at, before in ipairs(redis.call("HMGET", newest, unpack(values))) do
    local otherAsked, other
    if before then otherAsked, other = string.match(before, "^(%d+) %d+ (.+)$") end
    if not otherAsked or tonumber(otherAsked) <= asked then
      table.insert(content, values[at])
      table.insert(content, records[at])
      table.insert(pointers, values[at])
      table.insert(pointers, pointer)
      if other then
        replaced[other] = replaced[other] or {}
        table.insert(replaced[other], values[at])
      end
    end
  end
  for other, outdated in pairs(replaced) do
    redis.call("HDEL", answers .. other, unpack(outdated))
    -- The three fields that aren't records are left.
    if redis.call("HLEN", answers .. other) == 3 then
      dropMember(other .. " " .. redis.call("HGET", answers .. other, "bytes"))
    end
  end
  if #content > 0 then
    redis.call("HSET", answers .. lease, "around", ARGV[8], "bytes", bytes, "scope", name, unpack(content))
    redis.call("PEXPIRE", answers .. lease, keptForMs)
    redis.call("HSET", newest, unpack(pointers))
    redis.call("ZADD", index, now, lease .. " " .. string.format("%.0f", bytes))
    redis.call("INCRBY", total, string.format("%.0f", bytes))
    for _, key in ipairs({newest, index, total}) do redis.call("PEXPIRE", key, keptForMs) end
  end
end
endLease(leased, leases, channel, lease, values)
`);
