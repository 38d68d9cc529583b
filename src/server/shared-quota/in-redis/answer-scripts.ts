/**
 * What is done whole or not at all with known answers and leases in Redis. An answer is a hash of its items' records; of
 * each store and item type one hash says by item which answer is the newest, another whose lease brings it. Both may name
 * what is there no more: then it is as if they did not.
 */
import { luaTimes } from "../../redis/lua";
import { createScript } from "../../redis/script";

/**
 * Redis tells its items by places, from 1: records grouped by their answer, then what others bring, grouped by lease. What it
 * does not tell of is leased to who asks.
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
  -- One that is yet to be asked for is of a clock that was set back.
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

export const wantScript = createScript(`redis.call("PUBLISH", KEYS[1], ARGV[1])`);

/** `giveBack(leased, leases, channel, lease, values)`: and tells so. */
const luaGiveBack = `
local function giveBack(leased, leases, channel, lease, values)
  local own = {}
  for index, holder in ipairs(redis.call("HMGET", leased, unpack(values))) do
    if holder == lease then table.insert(own, values[index]) end
  end
  if #own > 0 then redis.call("HDEL", leased, unpack(own)) end
  redis.call("DEL", leases .. lease)
  redis.call("PUBLISH", channel, lease)
end
`;

export const freeScript = createScript(`${luaGiveBack}
giveBack(KEYS[1], KEYS[2], KEYS[3], ARGV[1], {unpack(ARGV, 2)})
`);

/** The answer is known before its lease is over. For no item an answer takes the place of one that was asked for later. */
export const keepScript = createScript(`${luaTimes}${luaGiveBack}
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
-- A member says its bytes, since an answer may have ended by itself.
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
    -- All that is left of it is what is around its records.
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
giveBack(leased, leases, channel, lease, values)
`);
