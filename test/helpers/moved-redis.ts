/** A Redis whose scripts take the time from a test, in whole milliseconds. Everything else in it uses its own clock. */
import { createScript, type Redis } from "../../src/server/redis/redis";

const head = `
local real = redis
local redis = {
  call = function(command, ...)
    if command ~= "TIME" then return real.call(command, ...) end
    local ms = tonumber(ARGV[#ARGV])
    return { tostring(math.floor(ms / 1000)), tostring(ms % 1000 * 1000) }
  end
}
`;

export function movedRedis(redis: Redis, now: () => number): Redis {
  const moved = new Map<string, ReturnType<typeof createScript>>();
  return {
    send: (commands) => redis.send(commands),
    whenAvailable: (callback) => redis.whenAvailable(callback),
    close: () => redis.close(),
    get isAvailable() {
      return redis.isAvailable;
    },
    run({ text, digest }, { keys, args }) {
      const script = moved.get(digest) ?? createScript(head + text);
      moved.set(digest, script);
      return redis.run(script, { keys, args: [...args, now()] });
    },
  };
}
