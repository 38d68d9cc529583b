/**
 * The quota of several servers. Each decides in its own memory whose call is next, by the same rule as a single server
 * (`turns.ts`), and knows from Redis how much is used. Redis decides at the sending whether there is still room
 * (`windowScript`). If another server was faster, the call waits on. Redis sees only digests of accounts, and no people. A step
 * fails if Redis can't be asked, or if nobody can know which calls count.
 */
import { randomBytes } from "node:crypto";
import { windowMs as oneWindowMs } from "../../../domain/call-window";
import { digestOf } from "../../digest";
import { createScript, type Redis } from "../../redis/redis";
import type { Account } from "../call";
import { createAccounts, accountKey, type QuotaStore, type QuotaStoreOptions } from "../quota-store";
import { type CallEvent, createTurns, type Kind, type Room, type Turns } from "../turns";

export interface SharedWindowOptions extends QuotaStoreOptions {
  readonly redis: Pick<Redis, "run">;
  /** Called when Redis has lost calls: nothing is sent for this time. */
  readonly onShut: (opensInMs: number) => void;
}

/** A later reply is ignored: this process was suspended, and the calls it sent now would count no longer. */
const lateAfterMs = 5_000;
/** How far Redis's clock and this server's may differ. Clocks that are corrected gradually stay far within these. */
const mostApartMs = 3_000;
const mostDrift = 0.05;
/** Redis's clock may go forward unnoticed by `mostApartMs` in a window, so calls count for longer there. */
const windowMs = oneWindowMs + mostApartMs;
/** The relay gives up on a call by then. */
const longestCallMs = 60_000;
/** Wait while Redis is away. A random part of it is added, so that not all calls come back at once. */
const retryMs = 3_000;
/** Other servers may have used more of the quota since. */
const usageIsShownForMs = 60_000;
/** Edits of this time show how many a minute there are. */
const recentMs = 20_000;
/** After a restart of Redis with its data, each server has this time to say that calls are missing. */
const heldMs = 10_000;

export interface SharedWindow extends QuotaStore {
  /** Asks Redis at once whether it has lost calls, so that the time without calls begins. */
  look(): Promise<void>;
}

interface SharedAccount {
  readonly turns: Turns;
  readonly room: ToldRoom;
  /** The digest by which Redis knows it. */
  readonly name: string;
  /** What Redis doesn't know yet of calls in its window. */
  readonly unreported: Map<string, "ended" | "withdrawn">;
  toldAtMs: number;
}

/** Redis's time in a reply, and this server's times around it. */
interface RedisTime {
  /** Another mark begins when Redis was replaced, and that may have another clock. */
  readonly mark: string;
  readonly redisMs: number;
  readonly askedAtMs: number;
  readonly repliedAtMs: number;
}

type Reply = readonly [
  mark: string,
  redisMs: number,
  opensInMs: number,
  sent: number,
  edits: number,
  bulk: number,
  recentEdits: number,
  editLeavesInMs: number,
  bulkLeavesInMs: number,
  paceInMs: number,
  written: number,
];

/** What `look` asks for: no quota, but whether Redis knows all calls. */
const nobody: Account = { environment: "", consumerId: "", operation: "search" };

export function createSharedWindow({ redis, clock, limitOf, onShut }: SharedWindowOptions): SharedWindow {
  const server = randomBytes(6).toString("base64url");
  /** The latest reply before Redis's clock jumped, if it did. */
  let lastSteady: RedisTime | null = null;
  /** How many calls Redis had been told of under its mark, as far as this server knows. */
  let known = { mark: "", written: 0 };
  const accounts = createAccounts(clock, (account): SharedAccount => {
    const room = createToldRoom();
    const turns = createTurns(limitOf(account.environment, account.operation), room, clock.random);
    const name = digestOf(accountKey(account)).slice(0, 16);
    return { turns, room, name, unreported: new Map(), toldAtMs: -Infinity };
  });

  function decide({ turns, unreported }: SharedAccount, events: readonly CallEvent[]) {
    for (const { kind, id } of events) {
      const isToReport = (kind === "ended" || kind === "cancelled") && turns.kindInFlight(id) !== null;
      if (isToReport) unreported.set(`${server} ${id}`, kind === "ended" ? kind : "withdrawn");
    }
    return turns.step(events, clock.now());
  }

  /** Asks whether these calls may be sent. Null if Redis didn't answer, or too late. */
  async function ask(shared: SharedAccount, ids: readonly string[], doubted?: string): Promise<Reply | null> {
    const { turns, room, name, unreported } = shared;
    const askedAtMs = clock.now();
    const reported = (as: string) => [...unreported].flatMap(([call, kind]) => (kind === as ? [call] : []));
    const request = {
      windowMs,
      longestMs: longestCallMs + windowMs,
      mostBackMs: mostApartMs,
      recentMs,
      heldMs,
      doubted,
      ...known,
      ended: reported("ended"),
      withdrawn: reported("withdrawn"),
      calls: ids.map((id) => ({ call: `${server} ${id}`, kind: turns.kindInFlight(id) })),
      ...turns.bounds(askedAtMs),
    };
    const keys = [`quota ${name}`, `quota edits ${name}`, `quota pace ${name}`, "quota mark", "quota writes"];
    const outcome = await redis.run(windowScript, { keys, args: [JSON.stringify(request)] });
    const reply = outcome.kind === "replied" ? readReply(outcome.replies[0]) : null;
    const repliedAtMs = clock.now();
    if (reply === null || repliedAtMs - askedAtMs > lateAfterMs) return null;
    const [mark, redisMs, opensInMs] = reply;
    const time = { mark, redisMs, askedAtMs, repliedAtMs };
    // A new mark shuts the windows of all accounts, at all servers.
    if (mark !== doubted && hasJumped(lastSteady, time)) return ask(shared, ids, mark);
    lastSteady = time;
    const written = reply[10];
    known = { mark, written: mark === known.mark ? Math.max(known.written, written) : written };
    if (opensInMs > 0) onShut(opensInMs);
    unreported.clear();
    room.tell(reply, repliedAtMs);
    return reply;
  }

  function failedFor(waitMs: number) {
    return { kind: "failed" as const, retryAfterMs: waitMs + clock.random() * retryMs };
  }

  return {
    async look() {
      await ask(accounts.of(nobody), []);
    },
    async step(account, events) {
      const shared = accounts.of(account);
      let decided = decide(shared, events);
      const send: string[] = [];
      const rejected = [...decided.rejected];
      while (decided.send.length > 0 || shared.unreported.size > 0) {
        const reply = await ask(shared, decided.send);
        shared.toldAtMs = reply === null ? -Infinity : clock.now();
        if (reply === null) return failedFor(retryMs);
        const [, , opensInMs, sent] = reply;
        if (opensInMs > 0) return failedFor(opensInMs);
        send.push(...decided.send.slice(0, sent));
        const denied = decided.send.slice(sent);
        decided = decide(
          shared,
          denied.map((id) => ({ kind: "denied", id })),
        );
        rejected.push(...decided.rejected);
      }
      return { ...decided, send, rejected };
    },
    usage(account) {
      const shared = accounts.peek(account);
      const nowMs = clock.now();
      if (shared === undefined || nowMs - shared.toldAtMs > usageIsShownForMs) return Promise.resolve(null);
      return Promise.resolve(shared.turns.usage(nowMs));
    },
  };
}

interface ToldRoom extends Room {
  tell(reply: Reply, nowMs: number): void;
}

/** What Redis said last, and this server's calls since. When a call may have stopped counting, Redis is asked again. */
function createToldRoom(): ToldRoom {
  let used = { edit: 0, bulk: 0 };
  let leaveAtMs = { edit: 0, bulk: 0 };
  let recentEdits = 0;
  const room: ToldRoom = {
    used: (kind) => used[kind],
    editsAMinute: () => Math.max(used.edit, 3 * recentEdits),
    leaveAtMs: (_count, kind) => (kind === null ? Math.min(leaveAtMs.edit, leaveAtMs.bulk) : leaveAtMs[kind]),
    sent(kind: Kind) {
      used = { ...used, [kind]: used[kind] + 1 };
      if (kind === "edit") recentEdits += 1;
    },
    // Redis is told, and says what counts then.
    ended: () => undefined,
    withdrawn: () => undefined,
    paceAtMs: -Infinity,
    tell([, , , , edit, bulk, recent, editInMs, bulkInMs, paceInMs], nowMs) {
      used = { edit, bulk };
      recentEdits = recent;
      leaveAtMs = {
        edit: nowMs + Math.min(editInMs, windowMs),
        bulk: nowMs + Math.min(bulkInMs, windowMs),
      };
      room.paceAtMs = nowMs + paceInMs;
    },
  };
  return room;
}

/** Null for a reply of another form. */
function readReply(value: unknown): Reply | null {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [];
  const [mark, ...numbers] = parts;
  const isReply =
    typeof mark === "string" && numbers.length === 10 && numbers.every((each) => typeof each === "number");
  return isReply ? (parts as unknown as Reply) : null;
}

/**
 * Compares how much time has passed in Redis and here. Redis's clock decides which calls count: set forward it would forget
 * them too early, set back too late.
 */
function hasJumped(before: RedisTime | null, { mark, redisMs, askedAtMs, repliedAtMs }: RedisTime): boolean {
  if (before?.mark !== mark) return false;
  const passedMs = redisMs - before.redisMs;
  // Redis read its clock at an unknown time between request and reply.
  const [shortestMs, longestMs] = [askedAtMs - before.repliedAtMs, repliedAtMs - before.askedAtMs];
  const apart = mostApartMs + longestMs * mostDrift;
  return passedMs < shortestMs - apart || passedMs > longestMs + apart;
}

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
const windowScript = createScript(`
local bulk, edits, pace, marks, writes = unpack(KEYS)
local request = cjson.decode(ARGV[1])
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local opensAtLatest = now + request.longestMs

local info = redis.call("INFO", "server", "stats", "persistence", "replication")
local process = string.match(info, "run_id:(%x+)") .. " " .. string.match(info, "evicted_keys:(%d+)")
local known, mark, heldUntil = string.match(redis.call("GET", marks) or "", "^(%x+ %d+) (%d+) (%d+)$")
local opensAt = math.max(mark or 0, heldUntil or 0)
local written = tonumber(redis.call("GET", writes) or 0)
local isWhole = mark and mark ~= request.doubted and (mark ~= request.mark or written >= request.written)
local hasOwnFile = string.find(info, "aof_enabled:1", 1, true) and string.find(info, "master_replid2:0000", 1, true)
if isWhole and known ~= process and hasOwnFile and string.find(process, " 0", 1, true) then
  known, opensAt = process, math.max(opensAt, now + request.heldMs)
  redis.call("SET", marks, process .. " " .. mark .. " " .. opensAt)
end
local last = math.max(opensAt, redis.call("ZRANGE", edits, -1, -1, "WITHSCORES")[2] or 0)
if mark and redis.call("ZSCORE", bulk, mark) then last = math.max(last, redis.call("ZRANGE", bulk, -2, -2, "WITHSCORES")[2] or 0) end
if not isWhole or known ~= process or last > opensAtLatest + request.mostBackMs then
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
  for _, call in ipairs(request.withdrawn) do redis.call("ZREM", calls, call) end
  for _, call in ipairs(request.ended) do redis.call("ZADD", calls, "XX", now + request.windowMs, call) end
end
-- The mark is a member too.
local count = { edit = redis.call("ZCARD", edits), bulk = redis.call("ZCARD", bulk) - 1 }
local paceAt, sent = math.max(now, redis.call("GET", pace) or 0), 0
for _, each in ipairs(request.calls) do
  local isOnTime = count.bulk < request.bulk.maxCalls and paceAt - now <= request.bulk.burstMs
  local fits = count.edit + count.bulk < request.maxCalls and (each.kind == "edit" or isOnTime)
  if now < opensAt or not fits then break end
  redis.call("ZADD", each.kind == "edit" and edits or bulk, now + request.longestMs, each.call)
  if each.kind == "bulk" then paceAt = paceAt + request.bulk.intervalMs end
  count[each.kind] = count[each.kind] + 1
  sent = sent + 1
end
if sent > 0 then written = redis.call("INCRBY", writes, sent) end
redis.call("SET", pace, paceAt, "PX", request.longestMs)
for _, calls in ipairs({ bulk, edits }) do redis.call("PEXPIRE", calls, 2 * request.longestMs) end

local function leavesIn(calls, rank, size)
  return rank < size and redis.call("ZRANGE", calls, rank, rank, "WITHSCORES")[2] - now or request.windowMs
end
local over = math.max(0, math.floor(count.bulk - request.bulk.maxCalls))
local recent = redis.call("ZCOUNT", edits, now + request.windowMs - request.recentMs, "+inf")
local leave = { leavesIn(edits, 0, count.edit), leavesIn(bulk, over, count.bulk) }
return { mark, now, opensAt - now, sent, count.edit, count.bulk, recent, leave[1], leave[2], math.ceil(paceAt - now), written }
`);
