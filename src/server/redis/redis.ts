/**
 * The interface to Redis, where several servers share data: commands and scripts, over one connection that reconnects by
 * itself. Keys get INV's prefix here; their meaning is up to the caller.
 *
 *     const outcome = await redis.send([["GET", ["one"]], ["SET", ["two"], "text", "PX", 1_000]]);
 *     if (outcome.kind === "away") …   // nobody knows which of them ran
 *
 * Invariant: no method rejects, and no request waits in a queue. While Redis is away, each returns `away` at once.
 */
import { createHash } from "node:crypto";

export interface Redis {
  /** Sends commands together; others may run between them. Returns their replies in order. */
  send(commands: readonly Command[]): Promise<Replied | Away>;
  /** Runs a script, which is atomic. */
  run(script: Script, given: ScriptInput): Promise<Replied | Away>;
  /** Whether the last test or request succeeded. */
  readonly isAvailable: boolean;
  /** Calls each time that Redis becomes available, and at once if it is. */
  whenAvailable(callback: () => void): void;
  /** Resolves when all requests are answered. */
  close(): Promise<void>;
}

/** Keys are without INV's prefix, and come before all other arguments. */
export type Command = readonly [
  name: string,
  keys: readonly string[],
  ...others: readonly (string | number)[],
];

export interface Replied {
  readonly kind: "replied";
  /** One for each command; a script has one. */
  readonly replies: readonly unknown[];
}

/** Redis can't be asked, doesn't answer in time, or refuses. */
export interface Away {
  readonly kind: "away";
}

interface ScriptInput {
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
}

/** Sent once, and later named by its digest. */
export interface Script {
  readonly text: string;
  readonly digest: string;
}

export function createScript(text: string): Script {
  // Redis names scripts by SHA-1.
  return { text, digest: createHash("sha1").update(text).digest("hex") };
}

/** Returns the milliseconds in a reply to `TIME`. */
export function readTime(reply: unknown): number {
  const [seconds, micros] = reply as readonly [string, string];
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}

/** Called with the initial state and after every change. */
export interface RedisObserver {
  readonly available: () => void;
  /** The reason in words; never a key, a value or a password. */
  readonly away: (reason: string) => void;
  /** Redis works, but an administrator has to change its configuration. */
  readonly doubtful: (reason: string) => void;
}
