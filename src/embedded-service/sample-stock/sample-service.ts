/** The embedded service over a world of sample stock. */
import { createService, type Service, type ServiceOptions } from "../service";
import { createSampleBackend } from "./sample-backend";
import { listSampleStock } from "./sample-list";
import { demoWorld, type SampleWorld } from "./worlds";

export interface SampleServiceOptions extends Omit<
  ServiceOptions,
  "backend" | "list" | "environment" | "isSandbox"
> {
  readonly world?: SampleWorld;
  /** Decides about the stock, but not about stores and items. */
  readonly seed?: number;
}

export function createSampleService({
  world = demoWorld,
  seed = 1,
  ...options
}: SampleServiceOptions): Service {
  const worldSeed = seed + world.seedOffset;
  return createService({
    ...options,
    backend: createSampleBackend(world, { seed: worldSeed, now: options.now }),
    list: () => Promise.resolve(listSampleStock(world, worldSeed)),
    environment: world.kind,
    isSandbox: world.kind === "sandbox",
  });
}
