/**
 * Applies the rule of `tries` to the counts in Redis, in one atomic step and by Redis's clock. This module is
 * compiled to Lua and appended to `redis/lua`. None of it runs in Node.
 */
import type { LuaFunction, LuaMessages, LuaRedis } from "../redis/lua-redis";
import { endTry, noTries, startTry, type Tries, triesLastMs } from "./tries";

declare const KEYS: readonly [index: string, tries: string];
declare const ARGV: readonly [address: string, id: string, name: string, most: string, how: TriesNews];
declare const redis: LuaRedis;
declare const cmsgpack: LuaMessages<Tries>;
declare const nowMs: LuaFunction<readonly [], number>;
declare const lastUntil: LuaFunction<readonly [key: string, atMs: number], void>;
declare const makeRoom: LuaFunction<
  readonly [index: string, most: number, drop: LuaFunction<readonly [oldest: string], void>],
  void
>;

export type TriesNews = "begins" | "was accepted" | "was refused";

/** 0: the request may be sent. -1: it waits. Otherwise, the milliseconds for which it is refused. */
export type TriesReply = number;

const [index, triesKey] = KEYS;
const [address, id, name, most, how] = ARGV;

export function run(): TriesReply {
  const atMs = nowMs();
  const tries = { ofAddress: read(address), ofId: read(id) };
  if (how === "begins") {
    const verdict = startTry(tries, name, atMs);
    if (verdict.kind === "refused") return Math.ceil(verdict.waitMs);
    if (verdict.kind === "wait") return -1;
  } else endTry(tries, { name, wasRefused: how === "was refused" }, atMs);
  write(address, tries.ofAddress, atMs);
  write(id, tries.ofId, atMs);
  return 0;
}

function read(who: string): Tries {
  const kept = redis.call("GET", triesKey + who) as string | false;
  return kept === false ? noTries() : cmsgpack.unpack(kept);
}

function write(who: string, tries: Tries, atMs: number): void {
  if (redis.call("ZSCORE", index, who) === false) {
    makeRoom(index, Number(most), (oldest) => void redis.call("DEL", triesKey + oldest));
  }
  const untilMs = atMs + triesLastMs;
  redis.call("ZADD", index, untilMs, who);
  lastUntil(index, untilMs);
  redis.call("SET", triesKey + who, cmsgpack.pack(tries), "PX", triesLastMs);
}
