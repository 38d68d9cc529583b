/** Parts that the server's tests need but don't test. */
import { type Company, createCompany } from "../../src/server/shared-quota/company";
import { createKnownAnswers } from "../../src/server/shared-quota/known-answers";
import { createMemoryQuotaStore } from "../../src/server/shared-quota/quota-store";
import { createLog, type Log } from "../../src/server/monitoring/log";
import { createMetrics } from "../../src/server/monitoring/metrics";
import type { PageTokens } from "../../src/server/relay/page-tokens";
import { readSettings, type ServerConfig } from "../../src/server/settings/read";
import { createSteadyClock, type SteadyClock } from "../../src/server/steady-clock";
import { memoryStores } from "../helpers/memory-stores";

/** The default settings with these changes. */
export function settings(changes: Partial<ServerConfig> = {}): ServerConfig {
  return { ...readSettings({ path: null, variables: {} }), ...changes };
}

export const silentLog: Log = createLog("silent");

/** The server's own clock, with real timers and any time. */
export function clockOf(now = () => performance.now()): SteadyClock {
  return createSteadyClock(now);
}

/** Timers for a connection to a running Redis that never expire: no answer is too late on a slow machine. */
export const unhurried = { setTimeout: () => null, clearTimeout: () => undefined };

/** A company that delays no call, except for an equal call in flight. */
export function looseCompany(clock = clockOf()): Company {
  return createCompany({
    clock,
    quotaStore: createMemoryQuotaStore({ clock, limitOf: () => 1_000_000 }),
    known: createKnownAnswers({ clock, maxBytes: 0 }),
    observer: createMetrics().company,
  });
}

/** A token of the relay, as if the relay had issued it. */
export const pageToken = "token-of-a-page";
export const asHolder = { authorization: `Bearer ${pageToken}`, "wm_consumer.id": "us" };

export function tokensOf(environment: string, clock = clockOf()): PageTokens {
  const { tokens } = memoryStores(clock);
  const grant = {
    consumerId: "us",
    person: "somebody",
    serviceToken: "token-of-the-service",
    isBySession: false,
    group: "us",
    replaces: null,
    lifetimeMs: 900_000,
  };
  void tokens.keep(environment, pageToken, grant);
  return tokens;
}
