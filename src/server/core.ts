/**
 * What the plug-ins share: settings, clock, log, metrics, Redis, and the store of what lasts between calls (in this process, or in Redis
 * if several servers share it). Everything else belongs to one plug-in.
 */
import fastifyPlugin from "fastify-plugin";
import { type Bind, bindTo } from "./environments";
import { createMemoryStore } from "./keyed-store/in-memory";
import { createRedisStore } from "./keyed-store/in-redis";
import type { KeyedStore } from "./keyed-store/keyed-store";
import type { Log } from "./operations/log";
import { createMetrics, type Metrics } from "./operations/metrics";
import { redisAddress, redisLogin } from "./redis/configured";
import { connectRedis } from "./redis/connect";
import type { Redis, RedisObserver } from "./redis/redis";
import { createSilence, type Silence } from "./redis/silence";
import type { ServerConfig } from "./settings/read";
import { createSteadyClock, type SteadyClock } from "./steady-clock";

export interface Core {
  readonly config: ServerConfig;
  readonly clock: SteadyClock;
  readonly log: Log;
  readonly metrics: Metrics;
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
  const metrics = createMetrics();
  const redis =
    config.redis === null
      ? null
      : await connectRedis({
          address: redisAddress(config.redis),
          readLogin: redisLogin(config.redis),
          prefix: config.redis.prefix,
          clock,
          observer: redisObserver(log, metrics),
        });
  fastify.addHook("onClose", () => redis?.close());
  const store = redis === null ? createMemoryStore(clock) : createRedisStore(redis);
  const silence = createSilence({ clock, log, metrics });
  fastify.decorate("core", { config, clock, log, metrics, redis, silence, store, bind: bindTo(config) });
});

function redisObserver(log: Log, metrics: Metrics): RedisObserver {
  return {
    available() {
      metrics.redis.setAway(false);
      log.info({}, "Redis answers.");
    },
    away(reason) {
      metrics.redis.setAway(true);
      log.warn({ reason }, "Redis doesn't answer. INV sends nothing to the service until it does.");
    },
    doubtful: (reason) => log.warn({ reason }, "Redis may lose requests that count against the quota."),
  };
}
