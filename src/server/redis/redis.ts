/**
 * The interface to Redis, where several servers share data: scripts and notices, over one connection that reconnects by
 * itself. Keys and channels get INV's prefix here; their meaning is up to the caller.
 *
 *     const outcome = await redis.run(script, { keys: ["log search"], args: [1, "two"] });
 *     if (outcome.kind === "away") …   // whether it ran is not known
 *
 * Invariant: no method rejects, and no request waits in a queue. While Redis is away, `run` returns `away` at once.
 */
import type { Script } from "./script";

export interface Redis {
  /** `away` when Redis can't be asked, doesn't answer in time, or refuses; then nobody knows whether the script ran. */
  run(script: Script, given: ScriptInput): Promise<ScriptOutcome>;
  /**
   * Calls the listener with each notice on a channel. A script sends one with `redis.call("PUBLISH", KEYS[n], text)`,
   * with the channel as a key. Notices are lost while Redis is away. Call it once for a channel; it ends with `close`.
   */
  listen(channel: string, listener: (notice: string) => void): void;
  /** Whether the last test or request succeeded. */
  readonly isAvailable: boolean;
  /** Resolves when all requests are answered. */
  close(): Promise<void>;
}

interface ScriptInput {
  /** Keys and channels, without INV's prefix. */
  readonly keys: readonly string[];
  readonly args: readonly (string | number | Buffer)[];
  /** Returns strings as bytes instead of UTF-8. */
  readonly isBinary?: boolean;
}

export type ScriptOutcome = { readonly kind: "ran"; readonly value: unknown } | { readonly kind: "away" };

/** Called with the initial state and after every change. */
export interface RedisObserver {
  readonly available: () => void;
  /** The reason in words; never a key, a value or a password. */
  readonly away: (reason: string) => void;
  /** Redis works, but an administrator has to change its configuration. */
  readonly doubtful: (reason: string) => void;
}
