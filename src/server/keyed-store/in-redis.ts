/**
 * Stores entries in Redis, where several servers share them. An entry is a hash. An index is a sorted set of
 * entry keys, sorted by expiry time. All times come from Redis's clock.
 */
import type { Redis } from "../redis/redis";
import { createScript, luaTimes } from "../redis/script";
import { type KeyedStore, type ListedEntry, openSecret, sealSecret } from "./keyed-store";

/**
 * `drop(key)` returns 1 if the entry existed. `expire(key, indexes, atMs)` never shortens an index's
 * lifetime.
 */
const luaEntries = `${luaTimes}
local function drop(key)
  for index in string.gmatch(redis.call("HGET", key, "indexes") or "", "[^\\n]+") do redis.call("ZREM", index, key) end
  return redis.call("DEL", key)
end
local function expire(key, indexes, atMs)
  redis.call("PEXPIREAT", key, atMs)
  for index in string.gmatch(indexes, "[^\\n]+") do
    redis.call("ZADD", index, atMs, key)
    lastUntil(index, atMs)
  end
end
`;

/**
 * `makeRoom(index, most, drop)` makes room for one more member in a sorted set whose scores are expiry times. It removes
 * expired members, and drops those that expire first if there would be too many.
 */
const luaRoom = `
local function makeRoom(index, most, drop)
  redis.call("ZREMRANGEBYSCORE", index, "-inf", nowMs())
  local over = redis.call("ZCARD", index) + 1 - most
  if over < 1 then return end
  local oldest = redis.call("ZPOPMIN", index, over)
  for place = 1, #oldest, 2 do drop(oldest[place]) end
end
`;

const putScript = createScript(`${luaEntries}${luaRoom}
local key, parent = KEYS[1], KEYS[2]
local text, sealed, lastsMs, idleMs, tries = unpack(ARGV, 1, 5)
drop(key)
for place = 3, #KEYS do makeRoom(KEYS[place], tonumber(ARGV[place + 3]), drop) end
local now = nowMs()
local indexes = table.concat({unpack(KEYS, 3)}, "\\n")
redis.call("HSET", key, "text", text, "sealed", sealed, "made", now, "used", now, "ends", now + lastsMs,
  "idle", idleMs, "tries", tries, "parent", parent, "indexes", indexes)
expire(key, indexes, now + (idleMs == "0" and lastsMs or math.min(tonumber(lastsMs), tonumber(idleMs))))
`);

const getScript = createScript(`${luaEntries}
local key, now = KEYS[1], nowMs()
local text, sealed, made, ends, idle, tries, parent, indexes = unpack(redis.call("HMGET", key,
  "text", "sealed", "made", "ends", "idle", "tries", "parent", "indexes"))
if not text then return {} end
local isOrphan = 1 - redis.call("EXISTS", parent)
if idle ~= "0" then
  redis.call("HSET", key, "used", now)
  expire(key, indexes, math.min(tonumber(ends), now + idle))
end
if tries == "1" then drop(key)
elseif tries ~= "0" then redis.call("HINCRBY", key, "tries", -1) end
return {{text, now - made, 0, ends - now, sealed, isOrphan}}
`);

const replaceScript = createScript(`
local text = redis.call("HGET", KEYS[1], "text")
if not text or (ARGV[1] == "1" and text ~= ARGV[2]) then return 0 end
redis.call("HSET", KEYS[1], unpack(ARGV, 3))
return 1
`);

const deleteScript = createScript(`${luaEntries}
return drop(KEYS[1])
`);

const listScript = createScript(`${luaEntries}
local all, now = {}, nowMs()
for _, key in ipairs(redis.call("ZRANGE", KEYS[1], 0, -1)) do
  local text, made, used, ends = unpack(redis.call("HMGET", key, "text", "made", "used", "ends"))
  if text then table.insert(all, {text, now - made, now - used, ends - now}) end
end
return all
`);

export function createRedisStore(redis: Pick<Redis, "run">): KeyedStore {
  return {
    async put(name, { text, secret, lastsMs, idleMs = 0, tries = 0, indexes, parent = name }) {
      const outcome = await redis.run(putScript, {
        keys: [name, parent, ...indexes.map((index) => index.name)],
        args: [
          ...[text, sealSecret(name, secret), Math.round(lastsMs), Math.round(idleMs), tries],
          ...indexes.map(({ most }) => most),
        ],
      });
      return outcome.kind === "ran" ? "kept" : "away";
    },
    async get(name, key) {
      const outcome = await redis.run(getScript, { keys: [name], args: [], isBinary: true });
      if (outcome.kind === "away") return outcome;
      const [row] = outcome.value as readonly Row[];
      if (row === undefined) return { kind: "unknown" };
      const [, , , , sealed = Buffer.alloc(0), isOrphan] = row;
      const secret = openSecret(name, key, sealed);
      return { kind: "found", ...listedEntry(row), secret, isOrphan: isOrphan === 1 };
    },
    async replace(name, { expectedText, text, secret }) {
      const outcome = await redis.run(replaceScript, {
        keys: [name],
        args: [
          ...(expectedText === undefined ? [0, ""] : [1, expectedText]),
          ...(text === undefined ? [] : ["text", text]),
          ...(secret === undefined ? [] : ["sealed", sealSecret(name, secret)]),
        ],
      });
      if (outcome.kind === "away") return "away";
      return outcome.value === 1 ? "kept" : "unknown";
    },
    async delete(name) {
      const outcome = await redis.run(deleteScript, { keys: [name], args: [] });
      if (outcome.kind === "away") return "away";
      return outcome.value === 1 ? "deleted" : "unknown";
    },
    async list(index) {
      const outcome = await redis.run(listScript, { keys: [index], args: [], isBinary: true });
      if (outcome.kind === "away") return outcome;
      return { kind: "listed", entries: (outcome.value as readonly Row[]).map(listedEntry) };
    },
  };
}

type Row = readonly [
  text: Buffer,
  ageMs: number,
  usedAgoMs: number,
  endsInMs: number,
  sealed?: Buffer,
  isOrphan?: number,
];

function listedEntry([text, ageMs, usedAgoMs, endsInMs]: Row): ListedEntry {
  return { text: text.toString(), ageMs, usedAgoMs, endsInMs };
}
