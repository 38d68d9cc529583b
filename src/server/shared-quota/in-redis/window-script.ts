/**
 * The only script in Redis: the window of one account's calls, which all servers must agree on. It decides whether calls
 * may be sent, and adds them in the same moment, by Redis's clock.
 *
 * A call counts from its sending until `windowMs` after its end, or until `longestMs` after its sending if nobody reports
 * its end because its server is gone. Its member is "server id person crowd edit", and its score the time when it stops counting.
 *
 * A window proves what counts only if no call is missing. So each contains a mark as its last member: the Redis process,
 * how many keys that has ever evicted, and when windows under this mark open. If the mark is missing or differs (Redis was
 * emptied, restarted or replaced, or it evicts keys), if a server has seen Redis's clock jump (`doubted`), or if a time is
 * later than any can be, a new mark begins: nothing is sent until no earlier call can count.
 */
import { createScript } from "../../redis/redis";

export const windowScript = createScript(`
local calls, marks, server, asked = KEYS[1], KEYS[2], ARGV[1], cjson.decode(ARGV[2])
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local opensAtLatest = now + asked.longestMs

local info = redis.call("INFO", "server", "stats")
local process = string.match(info, "run_id:(%x+)") .. " " .. string.match(info, "evicted_keys:(%d+)")
local mark = redis.call("GET", marks) or ""
local opensAt = tonumber(string.match(mark, "%d+$") or 0)
local last = redis.call("ZSCORE", calls, mark) and redis.call("ZRANGE", calls, -2, -2, "WITHSCORES")[2] or 0
local isKnown = mark == process .. " " .. opensAt and mark ~= asked.doubted
if not isKnown or math.max(opensAt, last) > opensAtLatest + asked.mostBackMs then
  opensAt = opensAtLatest
  mark = process .. " " .. opensAt
  redis.call("SET", marks, mark)
end
if not redis.call("ZSCORE", calls, mark) then
  redis.call("UNLINK", calls)
  redis.call("ZADD", calls, "+inf", mark)
end

redis.call("ZREMRANGEBYSCORE", calls, "-inf", now)
for _, call in ipairs(asked.withdrawn) do redis.call("ZREM", calls, call) end
for _, call in ipairs(asked.ended) do redis.call("ZADD", calls, "XX", now + asked.windowMs, call) end
local sent = 0
for _, each in ipairs(asked.wanted) do
  -- The mark is a member too.
  if redis.call("ZCARD", calls) > each.most or now < opensAt then break end
  redis.call("ZADD", calls, now + asked.longestMs, each.call)
  sent = sent + 1
end
redis.call("PEXPIRE", calls, 2 * asked.longestMs)

local counting, all = {}, redis.call("ZRANGE", calls, 0, -2, "WITHSCORES")
for at = 1, #all, 2 do
  local inMs = all[at + 1] - now
  -- The server itself knows which of its calls are in flight.
  local isInFlightThere = inMs > asked.windowMs and string.find(all[at], server, 1, true) == 1
  if not isInFlightThere then table.insert(counting, string.match(all[at], "%S+ %S+ %d$") .. " " .. inMs) end
end
return { mark, now, opensAt - now, sent, table.concat(counting, "\\n") }
`);
