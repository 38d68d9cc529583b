/**
 * The embedded service as a server mounts it: over the demo world, or over a stock file where one is named. What the
 * environment of a stock file is called says whose figures these are and, for a trial, where its clock stands.
 */
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createDemoService } from "../embedded-service/demo/demo-service";
import { createEmbeddedService, type EmbeddedService } from "../embedded-service/embedded-service";
import type { DemoSettings, EmbeddedEnvironment } from "./environments";
import { followStockFile } from "./stock-file/follow-stock-file";
import type { StockFlags } from "./stock-file/stock-flags";

export interface EmbeddedOptions extends StockFlags {
  readonly seed?: number;
  readonly tokenLifetimeSeconds?: number;
  readonly ratePerMinute?: number;
  /** What servers have in common that are one: their demos take each other's tokens, which open made-up stock alone. */
  readonly demoOf?: string | null;
  readonly reportError: (error: unknown) => void;
  /** Hears that the stock file was replaced, or why a new one cannot be served. */
  readonly tell: (line: string) => void;
}

export type Embedded = EmbeddedService & DemoSettings & { readonly stock: StockGreeting | null };

/** What a terminal says of a stock file. */
export interface StockGreeting {
  readonly supplier: string;
  readonly consumerId: string;
  readonly latestMs: number;
}

const longestLabel = 60;

/** @throws ConfigError where the stock file cannot be served */
export async function createEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { data, clockMs, tell, demoOf = null, ...rest } = options;
  const now = Date.now;
  const base = { now, random: Math.random, sleep: (waitMs: number) => sleep(waitMs, undefined), ...rest };
  if (data === null) {
    const shared = demoOf === null ? {} : { sealedWith: `demo of ${demoOf}` };
    return { ...createDemoService({ ...base, ...shared }), stock: null };
  }
  const worldNow = clockMs === null ? now : () => clockMs;
  const file = await followStockFile({ path: data, now: worldNow, steadyNow: () => performance.now(), tell });
  const { name, consumerId } = file.supplier;
  return {
    ...createEmbeddedService(file, { ...base, worldNow }),
    environment: environmentOf({ path: data, name, consumerId }, clockMs),
    stock: { supplier: name, consumerId, latestMs: file.latestMs },
  };
}

/** The id names the supplier's file, so that a workbook never shows one supplier's figures as another's. */
function environmentOf(
  { path, name, consumerId }: { readonly path: string; readonly name: string; readonly consumerId: string },
  clockMs: number | null,
): EmbeddedEnvironment {
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
