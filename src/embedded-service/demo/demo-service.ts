/** The embedded service over the demo world, and the accounts that open it. */
import {
  createEmbeddedService,
  type EmbeddedService,
  type EmbeddedServiceOptions,
} from "../embedded-service";
import { demoAccounts, type NamedAccount } from "./accounts";
import { createDemoBackend } from "./demo-backend";
import { listDemoData } from "./demo-data";

export interface DemoServiceOptions extends EmbeddedServiceOptions {
  /** Another seed gives other stock for the same stores and items. */
  readonly seed?: number;
}

export interface DemoService extends EmbeddedService {
  /** `demo` first. */
  readonly accounts: readonly NamedAccount[];
}

const defaultSeed = 1;

export function createDemoService(options: DemoServiceOptions): DemoService {
  const { seed = defaultSeed, now } = options;
  const world = {
    backend: createDemoBackend({ seed, now }),
    list: () => Promise.resolve(listDemoData(seed)),
  };
  return { ...createEmbeddedService(world, options), accounts: demoAccounts };
}
