/**
 * One step of an account in Redis. It reads the account's log, runs the same `step` as in memory, and writes what has
 * changed, atomically and by Redis's clock. This file is compiled to Lua; nothing of it runs in Node.
 *
 * A log proves which calls count only if no entry is missing. So each log contains the mark of the Redis process that it
 * began in; after a restart, a promotion or a loss of data there is another mark. The hash `marks` also contains when
 * each log was last written, which tells a lost log from one that has expired. Any other log is replaced by a new one,
 * which is shut until no earlier call can count. The same happens to all logs when a server has seen Redis's clock jump,
 * and to a log that was written later than now.
 */
import { type FinishedCall, type FinishedCalls, newAccountState } from "../account-state";
import { type CallEvent, type Decisions, step } from "../step";
import { allCountedAfterMs } from "../window";
import { pack, packedFormat, type PackedState, unpack } from "./packed";

/** A function of Lua. Without `this: void` it would be compiled as a method and get its object as an argument. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type
type LuaFunction<Given extends readonly unknown[], Result> = (this: void, ...given: Given) => Result;

declare const KEYS: readonly [marks: string, log: string, finished: string, turns: string];
declare const ARGV: readonly [account: string, input: string];
declare const redis: {
  /** A missing value is `false`. */
  readonly call: LuaFunction<readonly [command: string, ...words: (string | number)[]], unknown>;
};
declare const string: {
  /** Returns what the pattern captures, or the whole match. */
  readonly match: LuaFunction<readonly [text: string, pattern: string], string>;
};
declare const cjson: { readonly decode: LuaFunction<readonly [text: string], ScriptStep> };
/** MessagePack. */
declare const cmsgpack: {
  readonly pack: LuaFunction<readonly [value: unknown], string>;
  readonly unpack: LuaFunction<readonly [text: string], unknown>;
};

/** A server sends it as JSON. */
export interface ScriptStep {
  readonly server: string;
  readonly events: readonly CallEvent[];
  readonly limit: number;
  readonly chance: number;
  /** The mark under which a server has seen Redis's clock jump. */
  readonly doubted?: string;
}

/** Redis accepts neither fractions nor booleans. */
export type ScriptReply =
  | readonly ["shut", ...ReplyHead, opensInMs: number]
  | readonly [
      "decided",
      ...ReplyHead,
      send: readonly string[],
      rejected: readonly (string | number)[],
      /** -1 for null. */
      checkAgainInMs: number,
      used: number,
    ];

type ReplyHead = readonly [mark: string, nowMs: number];

interface Marks {
  readonly mark: string;
  /** When logs that begin under this mark open. */
  readonly opensAtMs: number;
}

interface Log {
  readonly format: number;
  readonly mark: string;
  readonly opensAtMs: number;
  readonly finishedCount: number;
  readonly state: PackedState;
}

type FinishedRow = readonly [person: string, isPriorityEdit: number, countsUntilMs: number];

interface StoredFinishedCalls extends FinishedCalls {
  /** They belong to another log. */
  removeAll(): void;
  write(): void;
}

/** Longer than anything in a log matters. */
const keptForMs = 600_000;
/** A clock that is corrected gradually never goes back this far. */
const mostBackMs = 3_000;

const [marksKey, logKey, finishedKey, turnsKey] = KEYS;
const [account, inputText] = ARGV;

export function run(): ScriptReply {
  const { limit, doubted, ...input } = cjson.decode(inputText);
  const nowMs = timeMs();
  const marks = currentMarks(nowMs, doubted);
  const finished = readFinishedCalls();
  const stored = readLog(marks.mark, finished.count());
  if (stored === null) finished.removeAll();
  const opensAtMs = stored === null ? newLogOpensAtMs(marks, nowMs) : stored.opensAtMs;
  const state = stored === null ? newAccountState(limit, finished) : unpack(stored.state, limit, finished);
  const decided = nowMs < opensAtMs ? null : step(state, { ...input, nowMs });
  const log: Log = {
    format: packedFormat,
    mark: marks.mark,
    opensAtMs,
    finishedCount: finished.count(),
    state: pack(state),
  };
  // First the write that a full Redis refuses: then nothing has been written.
  redis.call("SET", logKey, cmsgpack.pack(log), "PX", keptForMs);
  redis.call("HSET", marksKey, account, nowMs);
  finished.write();
  if (decided === null) return ["shut", marks.mark, nowMs, opensAtMs - nowMs];
  if (decided.turnOfServer !== null) redis.call("PUBLISH", turnsKey + decided.turnOfServer, account);
  return replyOf(decided, [marks.mark, nowMs]);
}

function timeMs(): number {
  const [seconds, micros] = redis.call("TIME") as [string, string];
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}

function currentMarks(nowMs: number, doubted: string | undefined): Marks {
  // A promoted replica, and a Redis that was restarted, have another run id than the one in the mark.
  const process = string.match(redis.call("INFO", "server") as string, "run_id:(%x+)");
  const [mark, opensAt, writtenAt] = redis.call("HMGET", marksKey, "mark", "opens", account) as readonly [
    string | false,
    string | false,
    string | false,
  ];
  const isValid = mark !== false && opensAt !== false && mark !== doubted;
  // If the clock was set back, calls would count for longer. A server that has just started notices this too.
  const isBack =
    isValid &&
    (nowMs < Number(opensAt) - allCountedAfterMs - mostBackMs ||
      (writtenAt !== false && nowMs < Number(writtenAt) - mostBackMs));
  if (isValid && !isBack && string.match(mark, "%x+") === process) {
    return { mark, opensAtMs: Number(opensAt) };
  }
  const begun = { mark: `${process} ${nowMs}`, opensAtMs: nowMs + allCountedAfterMs };
  redis.call("DEL", marksKey);
  redis.call("HSET", marksKey, "mark", begun.mark, "opens", begun.opensAtMs);
  return begun;
}

/** Null if there is no log, or if it isn't the last one written. */
function readLog(mark: string, finishedCount: number): Log | null {
  const stored = redis.call("GET", logKey) as string | false;
  if (stored === false) return null;
  const log = cmsgpack.unpack(stored) as Log;
  const isWhole = log.format === packedFormat && log.mark === mark && log.finishedCount === finishedCount;
  return isWhole ? log : null;
}

function newLogOpensAtMs({ opensAtMs }: Marks, nowMs: number): number {
  const writtenAt = redis.call("HGET", marksKey, account) as string | false;
  const isLost = writtenAt !== false && nowMs < Number(writtenAt) + keptForMs;
  if (writtenAt === false) removeSomeMarks(nowMs);
  return isLost ? nowMs + allCountedAfterMs : opensAtMs;
}

/** Removes a few expired marks at each new account, so that they never become many. */
function removeSomeMarks(nowMs: number): void {
  const some = redis.call("HRANDFIELD", marksKey, 8, "WITHVALUES") as readonly string[];
  for (let index = 0; index < some.length; index += 2) {
    const [name = "", writtenAt] = [some[index], some[index + 1]];
    if (name === "mark" || name === "opens" || nowMs < Number(writtenAt) + keptForMs) continue;
    redis.call("HDEL", marksKey, name);
  }
}

/** Reads the finished calls from a list. A step reads only a few entries. `write` stores all changes at the end. */
function readFinishedCalls(): StoredFinishedCalls {
  const stored = redis.call("LLEN", finishedKey) as number;
  let removed = 0;
  const added: FinishedCall[] = [];
  return {
    count: () => stored - removed + added.length,
    at(index) {
      const from = removed + index;
      if (from >= stored) return added[from - stored];
      const row = cmsgpack.unpack(redis.call("LINDEX", finishedKey, from) as string) as FinishedRow;
      const [person, isPriorityEdit, countsUntilMs] = row;
      return { person, isPriorityEdit: isPriorityEdit === 1, countsUntilMs };
    },
    add: (call) => void added.push(call),
    removeOldest: () => void (removed += 1),
    removeAll: () => void (removed = stored),
    write() {
      // A call is never added and removed in the same step.
      if (removed > 0) redis.call("LTRIM", finishedKey, removed, -1);
      for (const { person, isPriorityEdit, countsUntilMs } of added) {
        const row: FinishedRow = [person, isPriorityEdit ? 1 : 0, countsUntilMs];
        redis.call("RPUSH", finishedKey, cmsgpack.pack(row));
      }
      redis.call("PEXPIRE", finishedKey, keptForMs);
    },
  };
}

function replyOf({ send, rejected, checkAgainInMs, usage }: Decisions, head: ReplyHead): ScriptReply {
  const back: (string | number)[] = [];
  for (const { id, retryAfterMs } of rejected) back.push(id, Math.ceil(retryAfterMs));
  const again = checkAgainInMs === null ? -1 : Math.ceil(checkAgainInMs);
  return ["decided", ...head, send, back, again, usage.used];
}
