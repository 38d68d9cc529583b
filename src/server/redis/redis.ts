/**
 * What several servers share lies in Redis, and this is the one way to it: scripts and notices, over one connection
 * that mends itself. Everything else is the business of who asks; keys and channels get INV's prefix here.
 *
 *     const outcome = await redis.run(script, { keys: ["log search"], args: [1, "two"] });
 *     if (outcome.kind === "away") …   // whether it ran is not known
 *
 * Invariant: nothing rejects and nothing waits in a queue. While Redis is away, `run` says so at once.
 */
import type { Script } from "./script";

export interface Redis {
  /** `away` where it cannot be asked, gave no answer in time, or refuses: then nobody knows whether it ran. */
  run(script: Script, given: ScriptInput): Promise<ScriptOutcome>;
  /**
   * Tells of each notice on a channel: in a script, `redis.call("PUBLISH", KEYS[n], text)` where the channel is among
   * the keys. Those that are sent while Redis is away are lost. Call once for a channel; ends with `close`.
   */
  listen(channel: string, listener: (notice: string) => void): void;
  /** Whether it could be asked when it was last tried. */
  readonly isAvailable: boolean;
  /** When what was asked is answered. */
  close(): Promise<void>;
}

export interface ScriptInput {
  /** Without INV's prefix; channels too. */
  readonly keys: readonly string[];
  readonly args: readonly (string | number | Buffer)[];
  /** Texts of the reply come as they are, not as UTF-8. */
  readonly isBinary?: boolean;
}

export type ScriptOutcome = { readonly kind: "ran"; readonly value: unknown } | { readonly kind: "away" };

/** Told of changes alone, the first state included. */
export interface RedisObserver {
  readonly available: () => void;
  /** Why, in words; never a key, a value or a password. */
  readonly away: (reason: string) => void;
  /** It can be asked, and an administrator has to mend it. */
  readonly doubtful: (reason: string) => void;
}
