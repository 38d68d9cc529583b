/** Creates the embedded service that a server mounts: a supplier's own figures or, without any, the worlds of sample stock. */
import { setTimeout as sleep } from "node:timers/promises";
import { createFaults, type Faults } from "../embedded-service/fault-switches";
import { createSampleService } from "../embedded-service/sample-stock/sample-service";
import { type SampleWorld, sampleWorlds } from "../embedded-service/sample-stock/worlds";
import type { Service } from "../embedded-service/service";
import { type EmbeddedEnvironment, isOffered } from "./environments";
import { type FiguresReport, openFigures, type OwnFigures } from "./figures/own-figures";

export interface EmbeddedOptions {
  readonly figures?: OwnFigures | null;
  /** Equal for servers that accept each other's tokens. Those tokens open only sample stock. */
  readonly sharedBy?: string | null;
  readonly reportError: (error: unknown) => void;
}

export interface Embedded {
  /** The first world has the documented paths. The others have a prefix. */
  readonly worlds: readonly EmbeddedWorld[];
  readonly faults: Faults;
  /** About the own figures; null without any. */
  readonly report: FiguresReport | null;
}

export interface EmbeddedWorld {
  readonly environment: EmbeddedEnvironment;
  readonly service: Service;
}

/** @throws ConfigError if the own figures can't be read */
export async function createEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { figures = null, sharedBy = null, reportError } = options;
  const faults = createFaults();
  const base = {
    now: Date.now,
    random: Math.random,
    sleep: (waitMs: number) => sleep(waitMs, undefined),
    faults,
    reportError,
  };
  if (figures !== null) {
    const { report, ...world } = await openFigures(figures, base);
    return { worlds: [world], faults, report };
  }
  const worlds = sampleWorlds.map((world) => {
    const shared = sharedBy === null ? {} : { sealedWith: `${world.id} of ${sharedBy}` };
    const service = createSampleService({ ...base, ...shared, world });
    return { environment: environmentOfWorld(world), service };
  });
  return { worlds, faults, report: null };
}

/** Returns the worlds that people can choose beside the configured environments. */
export function offeredWorlds(
  { worlds }: Pick<Embedded, "worlds">,
  config: Parameters<typeof isOffered>[1],
): readonly EmbeddedWorld[] {
  return worlds.filter(({ environment }) => isOffered(environment, config));
}

/** The demo needs no credentials. For the other worlds, people can use the first account. */
export function environmentOfWorld({
  id,
  label,
  kind,
  accounts: { named },
}: SampleWorld): EmbeddedEnvironment {
  if (kind === "demo") return { id, label, kind, accounts: named };
  const [{ consumerId, clientSecret }] = named;
  return { id, label, kind, embedded: true, testCredentials: { consumerId, clientSecret } };
}
