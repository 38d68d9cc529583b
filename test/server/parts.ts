/** Parts that the server's tests need and have nothing to say about. */
import { type Company, createCompany } from "../../src/server/company/company";
import { createLog, type Log } from "../../src/server/log";
import { createMetrics } from "../../src/server/metrics";
import { readSettings, type ServerConfig } from "../../src/server/settings/read";

/** The defaults, with these changes. */
export function settings(changes: Partial<ServerConfig> = {}): ServerConfig {
  return { ...readSettings({ path: null, variables: {} }), ...changes };
}

export const silentLog: Log = createLog("silent");

/** Never in the way of anything but an equal call under way. */
export function looseCompany(now = () => performance.now()): Company {
  return createCompany({
    clock: {
      now,
      setTimeout: (callback, waitMs) => setTimeout(callback, waitMs),
      clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
    },
    limitOf: () => 1_000_000,
    cacheBytes: 0,
    observer: createMetrics().company,
  });
}
