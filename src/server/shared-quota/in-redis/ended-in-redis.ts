/**
 * The calls that ended, as a list in Redis of which a step reads a few members. What changes is written at the end, and
 * all together. Compiled to Lua with the script.
 */
import type { EndedCall, EndedCalls } from "../ended-calls";
import type { LuaMessages, LuaRedis } from "../../redis/lua-redis";

declare const redis: LuaRedis;
declare const cmsgpack: LuaMessages<Row>;

type Row = readonly [person: string, wasEditFirst: number, countsUntilMs: number];

export interface EndedInRedis extends EndedCalls {
  /** They are none of this log's. */
  forgetAll(): void;
  write(keptForMs: number): void;
}

export function createEndedInRedis(key: string): EndedInRedis {
  const stored = redis.call("LLEN", key) as number;
  let forgotten = 0;
  const added: EndedCall[] = [];

  return {
    count: () => stored - forgotten + added.length,
    at(place) {
      const from = forgotten + place;
      if (from >= stored) return added[from - stored];
      const [person, wasEditFirst, countsUntilMs] = cmsgpack.unpack(
        redis.call("LINDEX", key, from) as string,
      );
      return { person, wasEditFirst: wasEditFirst === 1, countsUntilMs };
    },
    add: (call) => void added.push(call),
    forgetOldest: () => void (forgotten += 1),
    forgetAll: () => void (forgotten = stored),
    write(keptForMs) {
      // Those that were added in this step are never forgotten in it.
      if (forgotten > 0) redis.call("LTRIM", key, forgotten, -1);
      for (const { person, wasEditFirst, countsUntilMs } of added) {
        redis.call("RPUSH", key, cmsgpack.pack([person, wasEditFirst ? 1 : 0, countsUntilMs]));
      }
      redis.call("PEXPIRE", key, keptForMs);
    },
  };
}
