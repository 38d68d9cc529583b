/** Creates the embedded service that a server mounts: the worlds of sample stock. */
import { setTimeout as sleep } from "node:timers/promises";
import { createFaults, type Faults } from "../embedded-service/faults";
import { createSampleService } from "../embedded-service/sample-stock/sample-service";
import { type SampleWorld, sampleWorlds } from "../embedded-service/sample-stock/worlds";
import { defaultRatePerMinute, type Service } from "../embedded-service/service";
import type { EmbeddedEnvironment } from "./environments";

export interface EmbeddedOptions {
  readonly seed?: number;
  readonly tokenLifetimeSeconds?: number;
  readonly ratePerMinute?: number;
  /** Equal for servers that accept each other's tokens. Those tokens open only sample stock. */
  readonly sharedBy?: string | null;
  readonly reportError: (error: unknown) => void;
}

export interface Embedded {
  /** The first world has the documented paths. The others have a prefix. */
  readonly worlds: readonly EmbeddedWorld[];
  readonly faults: Faults;
}

export interface EmbeddedWorld {
  readonly environment: EmbeddedEnvironment;
  readonly service: Service;
}

export function createEmbedded({ sharedBy = null, ...options }: EmbeddedOptions): Embedded {
  const { ratePerMinute = defaultRatePerMinute } = options;
  const faults = createFaults();
  const base = {
    now: Date.now,
    random: Math.random,
    sleep: (waitMs: number) => sleep(waitMs, undefined),
    faults,
    ...options,
  };
  const worlds = sampleWorlds.map((world) => {
    const shared = sharedBy === null ? {} : { sealedWith: `${world.id} of ${sharedBy}` };
    const service = createSampleService({ ...base, ...shared, world });
    return { environment: environmentOfWorld(world, ratePerMinute), service };
  });
  return { worlds, faults };
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
