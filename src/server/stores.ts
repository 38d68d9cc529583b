/** Chooses where state is stored between calls: in this process, or in Redis, which several servers share. */
import { bindTo } from "./environments";
import type { SteadyClock } from "./steady-clock";
import { createRedisAnswers } from "./shared-quota/in-redis/redis-answers";
import { createSharedWindow, type SharedWindowOptions } from "./shared-quota/in-redis/shared-window";
import { createKnownAnswers, type KnownAnswers } from "./shared-quota/known-answers";
import { createMemoryStore } from "./keyed-store/in-memory";
import { createRedisStore } from "./keyed-store/in-redis";
import { createMemoryQuotaStore, type QuotaStore, type QuotaStoreOptions } from "./shared-quota/quota-store";
import type { Redis } from "./redis/redis";
import { createPageTokens, type PageTokens } from "./relay/page-tokens";
import type { ServerConfig } from "./settings/read";
import { createFlows, type Flows } from "./sign-in/flows";
import { createSecret } from "./sign-in/secret";
import { createSessions, type Sessions } from "./sign-in/sessions";

export interface Stores {
  readonly quota: QuotaStore;
  readonly known: KnownAnswers;
  readonly tokens: PageTokens;
  /** Without sign-in, `sessions` and `flows` stay empty. */
  readonly sessions: Sessions;
  readonly flows: Flows;
}

export interface StoresOptions {
  readonly config: Pick<ServerConfig, "cacheMegabytes" | "environments" | "signIn">;
  readonly clock: SteadyClock;
  readonly limitOf: QuotaStoreOptions["limitOf"];
  readonly onShut: SharedWindowOptions["onShut"];
  readonly onEvict?: () => void;
}

const bytesOfMegabyte = 1_000_000;
const hourMs = 3_600_000;

/** `redis` is null for a single server. */
export function createStores(redis: Redis | null, options: StoresOptions): Stores {
  const { config, clock, limitOf, onShut, onEvict = () => undefined } = options;
  const maxBytes = config.cacheMegabytes * bytesOfMegabyte;
  const { idleHours = 0, totalHours = 0 } = config.signIn ?? {};
  const lasts = { idleMs: idleHours * hourMs, totalMs: totalHours * hourMs };
  const bind = bindTo(config);
  const store = redis === null ? createMemoryStore(clock) : createRedisStore(redis);
  const shared = {
    tokens: createPageTokens({ store, bind }),
    sessions: createSessions({ store, bind, ...lasts }),
    flows: createFlows({ store, bind, readKey: createSecret(config.signIn?.secret ?? "") }),
  };
  if (redis === null) {
    return {
      ...shared,
      quota: createMemoryQuotaStore({ clock, limitOf }),
      known: createKnownAnswers({ clock, maxBytes, onEvict }),
    };
  }
  return {
    ...shared,
    quota: createSharedWindow({ redis, clock, limitOf, onShut }),
    known: createRedisAnswers({ redis, maxBytes }),
  };
}
