/** Scripts that Redis runs atomically. Each is sent once, and later named by its digest. */
import { createHash } from "node:crypto";

export interface Script {
  readonly text: string;
  readonly digest: string;
}

export function createScript(text: string): Script {
  // Redis names scripts by SHA-1.
  return { text, digest: createHash("sha1").update(text).digest("hex") };
}

/** `nowMs()`, and `lastUntil(key, atMs)`, which never moves the expiry of a key to an earlier time. */
export const luaTimes = `
local function nowMs()
  local time = redis.call("TIME")
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function lastUntil(key, atMs)
  if redis.call("PTTL", key) == -1 then redis.call("PEXPIREAT", key, atMs)
  else redis.call("PEXPIREAT", key, atMs, "GT") end
end
`;
