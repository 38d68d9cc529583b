/**
 * The service over a world, ready to be mounted: the contract, the fault switches, and `GET /demo-data` beside
 * it, which lists what there is to ask for.
 */
import { json } from "./answers";
import type { Backend } from "./backend";
import { createFaults, type Faults } from "./faults";
import { createService, defaultRatePerMinute, type Service, type ServiceOptions } from "./service";

export interface World {
  readonly backend: Backend;
  /** Accounts, stores and items, for people and programs that try the service; not part of the contract. */
  list(): Promise<unknown>;
}

export type EmbeddedServiceOptions = Omit<ServiceOptions, "backend" | "faults"> & {
  /** Shared by the services of one process; left out, the service has its own. */
  readonly faults?: Faults;
};

export interface EmbeddedService {
  readonly service: Service;
  /** All off until someone sets them. */
  readonly faults: Faults;
  readonly ratePerMinute: number;
}

export function createEmbeddedService(world: World, options: EmbeddedServiceOptions): EmbeddedService {
  const { ratePerMinute = defaultRatePerMinute, faults = createFaults() } = options;
  const contract = createService({ ...options, ratePerMinute, backend: world.backend, faults });
  const service: Service = async (request) =>
    request.method === "GET" && new URL(request.url).pathname === "/demo-data"
      ? json(200, await world.list())
      : contract(request);
  return { service, faults, ratePerMinute };
}
