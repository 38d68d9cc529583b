/**
 * What the plug-ins share: settings, clock, log, metrics, Redis, and the store of what lasts between calls (in this process, or in Redis
 * if several servers share it). Everything else belongs to one plug-in.
 */
import fastifyPlugin from "fastify-plugin";
import { type Bind, bindTo } from "./environments";
import { createMemoryStore } from "./keyed-store/in-memory";
import { createRedisStore } from "./keyed-store/in-redis";
import type { KeyedStore } from "./keyed-store/keyed-store";
import { createHealth, type Health } from "./monitoring/health";
import type { Log } from "./monitoring/log";
import { createMetrics, type Metrics } from "./monitoring/metrics";
import { redisAddress, redisLogin } from "./redis/configured";
import { connectRedis } from "./redis/connect";
import type { Redis, RedisObserver } from "./redis/redis";
import { createSilence, type Silence } from "./redis/silence";
import type { ServerConfig } from "./settings/read";
import { createSteadyClock, type SteadyClock } from "./steady-clock";

/** What the server looks at every minute, and at once after SIGHUP: its certificate, its secrets and the sign-in provider. */
interface Rounds {
  add(task: () => void): void;
  /** Runs all tasks. */
  now(): void;
  stop(): void;
}

const roundMs = 60_000;

export interface Core {
  readonly config: ServerConfig;
  readonly clock: SteadyClock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly rounds: Rounds;
  /** Null for a single server. */
  readonly redis: Redis | null;
  readonly silence: Silence;
  readonly store: KeyedStore;
  readonly bind: Bind;
}

declare module "fastify" {
  interface FastifyInstance {
    readonly core: Core;
  }
}

export interface CoreOptions {
  readonly config: ServerConfig;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly log: Log;
}

export const core = fastifyPlugin<CoreOptions>(async (fastify, { config, now, log }) => {
  const clock = createSteadyClock(now);
  const health = createHealth();
  const metrics = createMetrics({ health, linesLost: log.linesLost });
  const rounds = createRounds(clock);
  const redis =
    config.redis === null
      ? null
      : await connectRedis({
          address: redisAddress(config.redis),
          readLogin: redisLogin(config.redis),
          prefix: config.redis.prefix,
          clock,
          observer: redisObserver(log),
        });
  health.add("redis", () => redis?.isAvailable === false);
  fastify.addHook("onClose", () => {
    rounds.stop();
    return redis?.close();
  });
  const store = redis === null ? createMemoryStore(clock) : createRedisStore(redis);
  const silence = createSilence({ clock, log, metrics });
  health.add("redis-silence", () => silence.leftMs() > 0);
  const shared = { redis, silence, store, bind: bindTo(config) };
  fastify.decorate("core", { config, clock, log, metrics, health, rounds, ...shared });
});

function redisObserver(log: Log): RedisObserver {
  return {
    available: () => log.info({}, "INV can use Redis."),
    away: (reason) =>
      log.warn({ reason }, "INV can't use Redis, so it sends nothing to the service until it can."),
    doubtful: (reason) => log.warn({ reason }, "Redis may lose requests that count against the quota."),
  };
}

function createRounds(clock: Pick<SteadyClock, "setTimeout" | "clearTimeout">): Rounds {
  const tasks: (() => void)[] = [];
  let timer: unknown = null;

  function now(): void {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(now, roundMs);
    for (const task of tasks) task();
  }

  return {
    add(task) {
      tasks.push(task);
      timer ??= clock.setTimeout(now, roundMs);
    },
    now,
    stop: () => clock.clearTimeout(timer),
  };
}
