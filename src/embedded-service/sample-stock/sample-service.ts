/** The embedded service over a world of sample stock. */
import {
  createEmbeddedService,
  type EmbeddedService,
  type EmbeddedServiceOptions,
} from "../embedded-service";
import { createSampleBackend } from "./sample-backend";
import { listSampleStock } from "./sample-list";
import { demoWorld, type SampleWorld } from "./worlds";

export interface SampleServiceOptions extends Omit<EmbeddedServiceOptions, "environment" | "isSandbox"> {
  readonly world?: SampleWorld;
  /** Decides about the stock, but not about stores and items. */
  readonly seed?: number;
}

export interface SampleService extends EmbeddedService {
  readonly world: SampleWorld;
}

const defaultSeed = 1;

export function createSampleService(options: SampleServiceOptions): SampleService {
  const { world = demoWorld, seed: given = defaultSeed, ...rest } = options;
  const seed = given + world.seedOffset;
  const sample = {
    backend: createSampleBackend(world, { seed, now: rest.now }),
    list: () => Promise.resolve(listSampleStock(world, seed)),
  };
  const service = createEmbeddedService(sample, {
    ...rest,
    environment: world.kind,
    isSandbox: world.kind === "sandbox",
  });
  return { ...service, world };
}
