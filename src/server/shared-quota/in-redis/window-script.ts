/**
 * The only script in Redis: the window of one account's calls, which all servers must agree on. It decides whether calls
 * may be sent, and adds them in the same moment, by Redis's clock.
 *
 * A call counts from its sending until `windowMs` after its end, or until `longestMs` after its sending if nobody reports
 * its end because its server is gone. Edits and bulk are two sets of calls, "server id", whose scores are the times at which they stop
 * counting. The pace of bulk is one number: when the next call would be on time.
 *
 * A window proves what counts only if no call is missing. So each contains a mark as its last member, and Redis knows for which of
 * its processes the mark holds, how many keys that has ever evicted, and how many calls were written. A new mark begins if the mark
 * is missing, if Redis was emptied or replaced, if it evicts keys, if a server knows of more calls than were written, if one has seen
 * Redis's clock jump (`doubted`), or if a time is later than any can be. Then nothing is sent until no earlier call can count.
 * A mark stays if the same Redis was restarted with its own file. Each server then has a moment to say that it knows of more calls.
 */
import { createScript } from "../../redis/redis";

export const windowScript = createScript(`
local bulk, edits, pace, marks, writes = unpack(KEYS)
local asked = cjson.decode(ARGV[1])
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local opensAtLatest = now + asked.longestMs

local info = redis.call("INFO", "server", "stats", "persistence", "replication")
local process = string.match(info, "run_id:(%x+)") .. " " .. string.match(info, "evicted_keys:(%d+)")
local known, mark, heldUntil = string.match(redis.call("GET", marks) or "", "^(%x+ %d+) (%d+) (%d+)$")
local opensAt = math.max(mark or 0, heldUntil or 0)
local written = tonumber(redis.call("GET", writes) or 0)
local isWhole = mark and mark ~= asked.doubted and (mark ~= asked.mark or written >= asked.written)
local hasOwnFile = string.find(info, "aof_enabled:1", 1, true) and string.find(info, "master_replid2:0000", 1, true)
if isWhole and known ~= process and hasOwnFile and string.find(process, " 0", 1, true) then
  known, opensAt = process, math.max(opensAt, now + asked.heldMs)
  redis.call("SET", marks, process .. " " .. mark .. " " .. opensAt)
end
local last = math.max(opensAt, redis.call("ZRANGE", edits, -1, -1, "WITHSCORES")[2] or 0)
if mark and redis.call("ZSCORE", bulk, mark) then last = math.max(last, redis.call("ZRANGE", bulk, -2, -2, "WITHSCORES")[2] or 0) end
if not isWhole or known ~= process or last > opensAtLatest + asked.mostBackMs then
  opensAt = opensAtLatest
  mark = tostring(opensAt)
  redis.call("SET", marks, process .. " " .. mark .. " " .. opensAt)
end
if not redis.call("ZSCORE", bulk, mark) then
  redis.call("UNLINK", bulk, edits, pace)
  redis.call("ZADD", bulk, "+inf", mark)
end

for _, calls in ipairs({ bulk, edits }) do
  redis.call("ZREMRANGEBYSCORE", calls, "-inf", now)
  for _, call in ipairs(asked.withdrawn) do redis.call("ZREM", calls, call) end
  for _, call in ipairs(asked.ended) do redis.call("ZADD", calls, "XX", now + asked.windowMs, call) end
end
-- The mark is a member too.
local count = { edit = redis.call("ZCARD", edits), bulk = redis.call("ZCARD", bulk) - 1 }
local paceAt, sent = math.max(now, redis.call("GET", pace) or 0), 0
for _, each in ipairs(asked.wanted) do
  local isOnTime = count.bulk < asked.bulk.most and paceAt - now <= asked.bulk.burstMs
  local fits = count.edit + count.bulk < asked.most and (each.kind == "edit" or isOnTime)
  if now < opensAt or not fits then break end
  redis.call("ZADD", each.kind == "edit" and edits or bulk, now + asked.longestMs, each.call)
  if each.kind == "bulk" then paceAt = paceAt + asked.bulk.intervalMs end
  count[each.kind] = count[each.kind] + 1
  sent = sent + 1
end
if sent > 0 then written = redis.call("INCRBY", writes, sent) end
redis.call("SET", pace, paceAt, "PX", asked.longestMs)
for _, calls in ipairs({ bulk, edits }) do redis.call("PEXPIRE", calls, 2 * asked.longestMs) end

local function leavesIn(calls, rank, most)
  return rank < most and redis.call("ZRANGE", calls, rank, rank, "WITHSCORES")[2] - now or asked.windowMs
end
local over = math.max(0, math.floor(count.bulk - asked.bulk.most))
local recent = redis.call("ZCOUNT", edits, now + asked.windowMs - asked.recentMs, "+inf")
local leave = { leavesIn(edits, 0, count.edit), leavesIn(bulk, over, count.bulk) }
return { mark, now, opensAt - now, sent, count.edit, count.bulk, recent, leave[1], leave[2], math.ceil(paceAt - now), written }
`);
