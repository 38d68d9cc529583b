/**
 * Who is signed in, where several servers share it: a session that began at one holds at all of them. Redis knows the text that
 * panes hold by its digest, and what the provider said of the person only sealed with that text: it is opened when a pane brings
 * its session to renew, which is when the provider is asked. Name and seal of it are bound to the environment's addresses.
 */
import { luaRoom, luaTimes } from "../redis/lua";
import type { Redis } from "../redis/redis";
import { createScript } from "../redis/script";
import { seal, unseal } from "../redis/sealed";
import type { Bind } from "../bound-environment";
import { digestOf, newPerson, unguessable } from "../digest";
import { askedForMs, mostSessions, type SignedIn, type SignInSession, type Sessions } from "./sessions";

export interface RedisSessionsOptions {
  readonly redis: Pick<Redis, "run">;
  readonly bind: Bind;
  readonly idleMs: number;
  readonly totalMs: number;
}

/** There as long as the session of this person lasts. */
export const sessionKey = (person: string): string => `session ${person}`;

const index = "sessions";
const textKey = "session-text ";

/** `remove(person)`: returns what `fields` names of a session that was there. */
const luaSession = `${luaTimes}
local fields = {"environment", "subject", "name", "started", "used", "ends"}
local function remove(index, sessions, texts, person)
  local key = sessions .. person
  local found = redis.call("HMGET", key, "digest", unpack(fields))
  redis.call("ZREM", index, person)
  if not found[1] then return nil end
  redis.call("DEL", key, texts .. found[1])
  return found
end
local function asItStands(person, found)
  local now = nowMs()
  return {person, found[2], found[3], found[4], now - found[5], now - found[6], found[7] - now}
end
`;

const beginScript = createScript(`${luaSession}${luaRoom}
local index, sessions, texts, person, digest = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2]
makeRoom(index, tonumber(ARGV[8]), function(oldest) remove(index, sessions, texts, oldest) end)
local now = nowMs()
local endsAtMs = now + ARGV[7]
local lastMs = math.min(endsAtMs, now + ARGV[6])
redis.call("HSET", sessions .. person, "digest", digest, "environment", ARGV[3], "subject", ARGV[4], "name", ARGV[5],
  "sealed", ARGV[9], "started", now, "used", now, "checked", now, "ends", endsAtMs)
redis.call("PEXPIREAT", sessions .. person, lastMs)
redis.call("SET", texts .. digest, person, "PXAT", lastMs)
redis.call("ZADD", index, lastMs, person)
lastUntil(index, lastMs)
`);

const findScript = createScript(`${luaSession}
local index, sessions, text = KEYS[1], KEYS[2], KEYS[3]
local person = redis.call("GET", text)
if not person then return {} end
local key = sessions .. person
local found = redis.call("HMGET", key, "digest", unpack(fields))
if not found[1] then return {} end
local now = nowMs()
local lastMs = math.min(tonumber(found[7]), now + ARGV[1])
redis.call("HSET", key, "used", now)
redis.call("PEXPIREAT", key, lastMs)
redis.call("PEXPIREAT", text, lastMs)
redis.call("ZADD", index, lastMs, person)
lastUntil(index, lastMs)
found[6] = now
local session = asItStands(person, found)
table.insert(session, redis.call("HGET", key, "sealed"))
return session
`);

const dueScript = createScript(`${luaTimes}
local checked = redis.call("HGET", KEYS[1], "checked")
local now = nowMs()
if not checked or now < checked + ARGV[1] then return 0 end
redis.call("HSET", KEYS[1], "checked", now - ARGV[1] + ARGV[2])
return 1
`);

const confirmScript = createScript(`${luaTimes}
local person = redis.call("GET", KEYS[2])
if not person or redis.call("EXISTS", KEYS[1] .. person) == 0 then return end
redis.call("HSET", KEYS[1] .. person, "name", ARGV[1], "sealed", ARGV[2], "checked", nowMs())
`);

const isInScript = createScript(`return redis.call("EXISTS", KEYS[1])`);

const endScript = createScript(`${luaSession}
local found = remove(KEYS[1], KEYS[2], KEYS[3], ARGV[1])
return found and asItStands(ARGV[1], found) or {}
`);

const listScript = createScript(`${luaSession}
local all = {}
for _, person in ipairs(redis.call("ZRANGE", KEYS[1], 0, -1)) do
  local found = redis.call("HMGET", KEYS[2] .. person, "digest", unpack(fields))
  if found[1] then table.insert(all, asItStands(person, found)) end
end
return all
`);

export function createRedisSessions({ redis, bind, idleMs, totalMs }: RedisSessionsOptions): Sessions {
  const keys = [index, sessionKey(""), textKey];
  const nameOf = (environment: string, text: string) => digestOf(`${bind(environment)} ${text}`);
  const aboutOf = (environment: string) => `what the provider said ${bind(environment)}`;

  function sealed(environment: string, text: string, { refreshToken, mayPublish }: Claimed): Buffer {
    return seal(text, aboutOf(environment), JSON.stringify({ refreshToken, mayPublish }));
  }

  function unsealed(environment: string, text: string, value: unknown): Claimed {
    const found = Buffer.isBuffer(value) ? unseal(text, aboutOf(environment), value) : null;
    return found === null ? { refreshToken: null, mayPublish: false } : (JSON.parse(found) as Claimed);
  }

  return {
    idleMs,
    totalMs,
    async begin(environment, signedIn) {
      const text = unguessable();
      const { subject, name } = signedIn;
      const who = [newPerson(), nameOf(environment, text), environment, subject, name];
      const outcome = await redis.run(beginScript, {
        keys,
        args: [...who, idleMs, totalMs, mostSessions, sealed(environment, text, signedIn)],
      });
      return outcome.kind === "away" ? outcome : { kind: "begun", text };
    },
    async find(environment, text) {
      const outcome = await redis.run(findScript, {
        keys: [index, sessionKey(""), textKey + nameOf(environment, text)],
        args: [idleMs],
        isBinary: true,
      });
      if (outcome.kind === "away") return outcome;
      const session = readSession(outcome.value);
      if (session === null) return { kind: "unknown" };
      const claimed = unsealed(environment, text, (outcome.value as readonly unknown[])[7]);
      return { kind: "found", session: { ...session, ...claimed } };
    },
    async isDue(person, afterMs) {
      const outcome = await redis.run(dueScript, { keys: [sessionKey(person)], args: [afterMs, askedForMs] });
      if (outcome.kind === "away") return "away";
      return outcome.value === 1 ? "due" : "not-due";
    },
    async confirm(environment, text, signedIn) {
      const outcome = await redis.run(confirmScript, {
        keys: [sessionKey(""), textKey + nameOf(environment, text)],
        args: [signedIn.name, sealed(environment, text, signedIn)],
      });
      return outcome.kind === "away" ? "away" : "kept";
    },
    async isIn(person) {
      const outcome = await redis.run(isInScript, { keys: [sessionKey(person)], args: [] });
      if (outcome.kind === "away") return "away";
      return outcome.value === 1 ? "in" : "out";
    },
    async end(person) {
      const outcome = await redis.run(endScript, { keys, args: [person] });
      if (outcome.kind === "away") return outcome;
      const session = readSession(outcome.value);
      return session === null ? { kind: "unknown" } : { kind: "ended", session };
    },
    async list() {
      const outcome = await redis.run(listScript, { keys, args: [] });
      if (outcome.kind === "away") return outcome;
      const all = (outcome.value as readonly unknown[]).flatMap((each) => readSession(each) ?? []);
      return { kind: "listed", sessions: all.sort((one, other) => one.startedAgoMs - other.startedAgoMs) };
    },
  };
}

type Claimed = Pick<SignedIn, "refreshToken" | "mayPublish">;

function readSession(value: unknown): SignInSession | null {
  const [person, environment, subject, name, startedAgoMs, usedAgoMs, endsInMs] = value as readonly unknown[];
  if (person === undefined) return null;
  return {
    ...{ person: textOf(person), environment: textOf(environment) },
    ...{ subject: textOf(subject), name: textOf(name) },
    ...{ startedAgoMs: Number(startedAgoMs), usedAgoMs: Number(usedAgoMs), endsInMs: Number(endsInMs) },
  };
}

/** Redis gives bytes where it is asked for them. */
function textOf(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString() : typeof value === "string" ? value : "";
}
