/**
 * One step of an account in Redis: reads its log there, does the step that every store does, and writes what has
 * changed, all in one piece and by Redis's own time. It is compiled to Lua; nothing of it runs in Node.
 *
 * A log says of which calls may count only if none are missing. So each bears the mark of the Redis that it was begun in:
 * a process that has started anew, was promoted or emptied has another. And `marks` knows when each log was last
 * written, so that one that was lost is told from one that has ended in peace. Whatever log is not the one last seen is
 * begun anew, and shut until no call that was sent before can count. So are all when a server has seen Redis's time jump, and
 * when a log was written later than now.
 */
import { type AccountState, newAccountState } from "../account-state";
import { type Decisions, type News, step } from "../step";
import type { Room } from "../turns";
import { allCountedAfterMs, expire, usedOf } from "../window";
import { createEndedInRedis } from "./ended-in-redis";
import type { LuaFunction, LuaMessages, LuaRedis } from "../../redis/lua-redis";
import { pack, packedFormat, type PackedState, unpack } from "./packed";

declare const KEYS: readonly [marks: string, log: string, ended: string, turns: string];
declare const ARGV: readonly [account: string, input: string];
declare const redis: LuaRedis;
declare const string: {
  /** What the pattern captures, or all of it. */
  readonly match: LuaFunction<readonly [text: string, pattern: string], string>;
};
declare const cjson: { readonly decode: LuaFunction<readonly [text: string], ScriptStep> };
declare const cmsgpack: LuaMessages<Log>;

/** What a server tells, as JSON. */
export interface ScriptStep {
  readonly server: string;
  readonly news: readonly News[];
  /** Left out where somebody only asks how much is spent. */
  readonly room?: Room;
  readonly holdMs: number;
  readonly limit: number;
  readonly chance: number;
  /** A mark since which Redis's time has jumped. */
  readonly doubted?: string;
}

/** Redis takes no fractions and no truths. */
export type ScriptReply =
  | readonly ["shut", ...RedisSays, opensInMs: number]
  | readonly [
      "decided",
      ...RedisSays,
      go: readonly string[],
      sentBack: readonly (string | number)[],
      /** -1 for null. */
      lookAgainInMs: number,
      lacksRoom: number,
      used: number,
    ];

type RedisSays = readonly [mark: string, nowMs: number];

interface Marks {
  readonly mark: string;
  /** When logs that are begun with it open. */
  readonly opensAtMs: number;
}

interface Log {
  readonly format: number;
  readonly mark: string;
  readonly opensAtMs: number;
  readonly endedCount: number;
  readonly state: PackedState;
}

/** Longer than anything in it is of use. */
const keptForMs = 600_000;
/** Set right bit by bit, a clock never goes back so far. */
const mostBackMs = 3_000;

const [marksKey, logKey, endedKey, turnsKey] = KEYS;
const [account, given] = ARGV;

export function run(): ScriptReply {
  const input = cjson.decode(given);
  const nowMs = timeMs();
  const marks = marksNow(nowMs, input.doubted);
  const ended = createEndedInRedis(endedKey);
  const kept = readLog(marks.mark, ended.count());
  if (kept === null) ended.forgetAll();
  const opensAtMs = kept === null ? newLogOpensAtMs(marks, nowMs) : kept.opensAtMs;
  const state = kept === null ? newAccountState(input.limit, ended) : unpack(kept.state, input.limit, ended);
  const isShut = nowMs < opensAtMs;
  const decided = isShut ? null : stepOrLook(state, input, nowMs);
  const log = {
    format: packedFormat,
    mark: marks.mark,
    opensAtMs,
    endedCount: ended.count(),
    state: pack(state),
  };
  // First what a full Redis refuses: then nothing has been written.
  redis.call("SET", logKey, cmsgpack.pack(log), "PX", keptForMs);
  redis.call("HSET", marksKey, account, nowMs);
  ended.write(keptForMs);
  if (decided === null) return ["shut", marks.mark, nowMs, opensAtMs - nowMs];
  if (decided.turnOf !== null) redis.call("PUBLISH", turnsKey + decided.turnOf, account);
  return replyOf(decided, marks.mark, nowMs);
}

function stepOrLook(state: AccountState, input: ScriptStep, nowMs: number): Decisions {
  const { server, news, room, holdMs, chance } = input;
  if (room !== undefined) return step(state, { server, news, room, holdMs, chance, nowMs });
  expire(state, nowMs);
  const use = { used: usedOf(state), limit: state.limit };
  return { go: [], sentBack: [], lookAgainInMs: null, lacksRoom: false, turnOf: null, use };
}

function timeMs(): number {
  const [seconds, micros] = redis.call("TIME") as [string, string];
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}

function marksNow(nowMs: number, doubted: string | undefined): Marks {
  // A replica that was promoted, and one that has started again, says another than was written.
  const process = string.match(redis.call("INFO", "server") as string, "run_id:(%x+)");
  const [mark, opensAt, writtenAt] = redis.call("HMGET", marksKey, "mark", "opens", account) as readonly [
    string | false,
    string | false,
    string | false,
  ];
  const isKnown = mark !== false && opensAt !== false && mark !== doubted;
  // Set back: calls would count for as long as that. Seen also by a server that remembers nothing.
  const isBack =
    isKnown &&
    (nowMs < Number(opensAt) - allCountedAfterMs - mostBackMs ||
      (writtenAt !== false && nowMs < Number(writtenAt) - mostBackMs));
  if (isKnown && !isBack && string.match(mark, "%x+") === process) {
    return { mark, opensAtMs: Number(opensAt) };
  }
  const begun = { mark: `${process} ${nowMs}`, opensAtMs: nowMs + allCountedAfterMs };
  redis.call("DEL", marksKey);
  redis.call("HSET", marksKey, "mark", begun.mark, "opens", begun.opensAtMs);
  return begun;
}

/** Null where there is none, or it is not the one last seen. */
function readLog(mark: string, endedCount: number): Log | null {
  const kept = redis.call("GET", logKey) as string | false;
  if (kept === false) return null;
  const log = cmsgpack.unpack(kept);
  const isWhole = log.format === packedFormat && log.mark === mark && log.endedCount === endedCount;
  return isWhole ? log : null;
}

function newLogOpensAtMs({ opensAtMs }: Marks, nowMs: number): number {
  const writtenAt = redis.call("HGET", marksKey, account) as string | false;
  const isLost = writtenAt !== false && nowMs < Number(writtenAt) + keptForMs;
  if (writtenAt === false) forgetSomeMarks(nowMs);
  return isLost ? nowMs + allCountedAfterMs : opensAtMs;
}

/** At each new account a few of those that have ended, so that they never become many. */
function forgetSomeMarks(nowMs: number): void {
  const some = redis.call("HRANDFIELD", marksKey, 8, "WITHVALUES") as readonly string[];
  for (let place = 0; place < some.length; place += 2) {
    const [name = "", writtenAt] = [some[place], some[place + 1]];
    if (name === "mark" || name === "opens" || nowMs < Number(writtenAt) + keptForMs) continue;
    redis.call("HDEL", marksKey, name);
  }
}

function replyOf(
  { go, sentBack, lookAgainInMs, lacksRoom, use }: Decisions,
  mark: string,
  nowMs: number,
): ScriptReply {
  const back: (string | number)[] = [];
  for (const { id, retryAfterMs } of sentBack) back.push(id, Math.ceil(retryAfterMs));
  const again = lookAgainInMs === null ? -1 : Math.ceil(lookAgainInMs);
  return ["decided", mark, nowMs, go, back, again, lacksRoom ? 1 : 0, use.used];
}
