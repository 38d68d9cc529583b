/**
 * Creates the embedded service that a server mounts: the sample worlds, or a stock file. The label of a stock
 * file's environment names the supplier and, in a trial, the time of its clock.
 */
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createFaults, type Faults } from "../embedded-service/faults";
import { withTestAccounts } from "../embedded-service/imported/imported-backend";
import { createSampleService } from "../embedded-service/sample-stock/sample-service";
import { type SampleWorld, sampleWorlds } from "../embedded-service/sample-stock/worlds";
import { createService, defaultRatePerMinute, type Service } from "../embedded-service/service";
import type { EmbeddedEnvironment } from "./environments";
import { followStockFile } from "./stock-file/follow-stock-file";

export interface EmbeddedOptions {
  /** Path of the stock file to serve, or null for the sample worlds. */
  readonly data: string | null;
  /** Fixed time of the stock file's clock, in milliseconds since 1970 UTC. Null if the clock runs. */
  readonly clockMs: number | null;
  readonly seed?: number;
  readonly testAccounts?: boolean;
  readonly tokenLifetimeSeconds?: number;
  readonly ratePerMinute?: number;
  /** Equal for servers that accept each other's tokens. Those tokens open only sample stock. */
  readonly sharedBy?: string | null;
  readonly reportError: (error: unknown) => void;
  readonly tell: (line: string) => void;
}

export interface Embedded {
  /** The first world has the documented paths. The others have a prefix. */
  readonly worlds: readonly EmbeddedWorld[];
  readonly faults: Faults;
  readonly stock: StockGreeting | null;
}

export interface EmbeddedWorld {
  readonly environment: EmbeddedEnvironment;
  readonly service: Service;
}

export interface StockGreeting {
  readonly supplier: string;
  readonly consumerId: string;
  readonly latestMs: number;
}

const longestLabel = 60;

/** @throws ConfigError if the stock file can't be served */
export async function createEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { data, clockMs, tell, sharedBy = null, testAccounts = false, ...rest } = options;
  const { ratePerMinute = defaultRatePerMinute } = options;
  const faults = createFaults();
  const base = {
    now: Date.now,
    random: Math.random,
    sleep: (waitMs: number) => sleep(waitMs, undefined),
    faults,
    ...rest,
  };
  if (data === null) {
    const worlds = sampleWorlds.map((world) => {
      const shared = sharedBy === null ? {} : { sealedWith: `${world.id} of ${sharedBy}` };
      const service = createSampleService({ ...base, ...shared, world });
      return { environment: environmentOfWorld(world, ratePerMinute), service };
    });
    return { worlds, faults, stock: null };
  }
  const worldNow = clockMs === null ? Date.now : () => clockMs;
  const file = await followStockFile({ path: data, now: worldNow, steadyNow: () => performance.now(), tell });
  const { name, consumerId } = file.supplier;
  const backend = testAccounts ? withTestAccounts(file.backend, name) : file.backend;
  const service = createService({ ...base, backend, list: file.list, worldNow });
  const environment = {
    ...environmentOfFile({ path: data, name, consumerId }, clockMs),
    ratePerMinute,
  };
  return {
    worlds: [{ environment, service }],
    faults,
    stock: { supplier: name, consumerId, latestMs: file.latestMs },
  };
}

/** The demo needs no credentials. For the other worlds, people can use the first account. */
export function environmentOfWorld(
  { id, label, kind, accounts: { named } }: SampleWorld,
  ratePerMinute: number,
): EmbeddedEnvironment {
  if (kind === "demo") return { id, label, kind, accounts: named, ratePerMinute };
  const [{ consumerId, clientSecret }] = named;
  return { id, label, kind, embedded: true, testCredentials: { consumerId, clientSecret }, ratePerMinute };
}

/** The ID is the supplier's, so that a workbook never shows one supplier's figures as another's. */
function environmentOfFile(
  { path, name, consumerId }: { readonly path: string; readonly name: string; readonly consumerId: string },
  clockMs: number | null,
): Omit<EmbeddedEnvironment, "ratePerMinute"> {
  const at =
    clockMs === null ? "" : `, at ${new Date(clockMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const whose = `${name} (${basename(path)})`;
  const room = longestLabel - at.length;
  return {
    id: consumerId,
    label: (whose.length > room ? `${whose.slice(0, room - 1)}…` : whose) + at,
    kind: "file",
    ...(clockMs !== null && { clockMs }),
  };
}
