/**
 * A real Redis for servers on a virtual clock. It has the clock's time, and gets the commands of all connections in the
 * order in which the servers send them, so every run is the same. Only the expiry of keys follows real time.
 */
import type { Redis } from "../../src/server/redis/redis";
import { movedRedis } from "./moved-redis";

export interface RealWork {
  /** Work that hasn't ended, for which a virtual clock waits. */
  readonly pending: ReadonlySet<Promise<unknown>>;
  /** Begins when all earlier work has ended. */
  inOrder<T>(work: () => Promise<T>): Promise<T>;
}

export function createRealWork(): RealWork {
  const pending = new Set<Promise<unknown>>();
  let previous: Promise<unknown> = Promise.resolve();
  return {
    pending,
    inOrder(work) {
      const started = previous.then(work);
      previous = started.catch(() => undefined);
      pending.add(started);
      return started.finally(() => pending.delete(started));
    },
  };
}

export function virtualRedis(redis: Redis, now: () => number, work: RealWork): Redis {
  const moved = movedRedis(redis, () => Math.round(now()));
  return {
    close: () => redis.close(),
    whenAvailable: (callback) => redis.whenAvailable(callback),
    get isAvailable() {
      return redis.isAvailable;
    },
    run: (...given) => work.inOrder(() => moved.run(...given)),
    send: (commands) =>
      work.inOrder(async () => {
        const outcome = await redis.send(commands);
        if (outcome.kind === "away") return outcome;
        const nowMs = Math.round(now());
        const time = [String(Math.floor(nowMs / 1_000)), String((nowMs % 1_000) * 1_000)];
        const replies = outcome.replies.map((reply, at) => (commands[at]?.[0] === "TIME" ? time : reply));
        return { kind: "replied", replies };
      }),
  };
}
