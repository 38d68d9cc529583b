/** The service over a world, ready to be mounted: the contract, the fault switches, and `GET /demo-data`, which lists stores and items. */
import { json } from "./answers";
import type { Backend } from "./backend";
import { createFaults, type Faults } from "./faults";
import { createService, defaultRatePerMinute, type Service, type ServiceOptions } from "./service";

export interface World {
  readonly backend: Backend;
  /** Returns accounts, stores and items, for people and programs that try the service. Not part of the contract. */
  list(): Promise<unknown>;
}

export type EmbeddedServiceOptions = Omit<ServiceOptions, "backend" | "faults"> & {
  /** Services of one process may share their fault switches. */
  readonly faults?: Faults;
};

export interface EmbeddedService {
  readonly service: Service;
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
