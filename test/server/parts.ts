/** Parts that the server's tests need and have nothing to say about. */
import type { SteadyClock } from "../../src/server/shared-quota/clock";
import { type Company, createCompany } from "../../src/server/shared-quota/company";
import { createKnownAnswers } from "../../src/server/shared-quota/known-answers";
import { holdMs } from "../../src/server/shared-quota/quota";
import { createMemoryQuotaStore } from "../../src/server/shared-quota/quota-store";
import { createLog, type Log } from "../../src/server/operations/log";
import { createMetrics } from "../../src/server/operations/metrics";
import type { PageTokens } from "../../src/server/relay/page-tokens";
import { readSettings, type ServerConfig } from "../../src/server/settings/read";
import { memoryStores } from "../helpers/memory-stores";

/** The defaults, with these changes. */
export function settings(changes: Partial<ServerConfig> = {}): ServerConfig {
  return { ...readSettings({ path: null, variables: {} }), ...changes };
}

export const silentLog: Log = createLog("silent");

/** Real timers, and whatever time is wanted. */
export function clockOf(now = () => performance.now()): SteadyClock {
  return {
    now,
    setTimeout: (callback, waitMs) => setTimeout(callback, waitMs),
    clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
    nextTurn: (callback) => void setImmediate(callback),
    random: Math.random,
  };
}

/** For the way to a Redis that is there: however slow the machine, no answer of it comes too late. */
export const unhurried = { setTimeout: () => null, clearTimeout: () => undefined };

/** Never in the way of anything but an equal call under way. */
export function looseCompany(clock = clockOf()): Company {
  const limitOf = (): number => 1_000_000;
  return createCompany({
    clock,
    limitOf,
    quotaStore: createMemoryQuotaStore({ clock, limitOf, holdMs }),
    known: createKnownAnswers({ clock, maxBytes: 0 }),
    observer: createMetrics().company,
  });
}

/** One of the relay's tokens, as if it had been given out. */
export const heldToken = "token-of-a-page";
export const asHolder = { authorization: `Bearer ${heldToken}`, "wm_consumer.id": "us" };

export function tokensOf(environment: string, clock = clockOf()): PageTokens {
  const { tokens } = memoryStores(clock);
  const grant = {
    consumerId: "us",
    person: "somebody",
    newcomer: null,
    serviceToken: "token-of-the-service",
    isBySession: false,
    lifetimeMs: 900_000,
  };
  void tokens.keep(environment, heldToken, grant);
  return tokens;
}
