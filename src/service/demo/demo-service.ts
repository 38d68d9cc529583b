/**
 * The service over the demo world, ready to be mounted: the contract, `GET /demo-data` beside it, the
 * fault switches, and the accounts that open it.
 */
import { json } from "../answers";
import { createFaults, type Faults } from "../faults";
import { createService, defaultRatePerMinute, type Service, type ServiceOptions } from "../service";
import { demoAccounts, type NamedAccount } from "./accounts";
import { createDemoBackend } from "./demo-backend";
import { listDemoData } from "./demo-data";

export interface DemoServiceOptions extends Omit<ServiceOptions, "backend" | "faults"> {
  /** Another seed gives other stock for the same stores and items. */
  readonly seed?: number;
}

export interface DemoService {
  readonly service: Service;
  /** All off until someone sets them. */
  readonly faults: Faults;
  /** `demo` first. */
  readonly accounts: readonly NamedAccount[];
  readonly ratePerMinute: number;
}

const defaultSeed = 1;

export function createDemoService(options: DemoServiceOptions): DemoService {
  const { seed = defaultSeed, now, ratePerMinute = defaultRatePerMinute } = options;
  const faults = createFaults();
  const backend = createDemoBackend({ seed, now });
  const contract = createService({ ...options, ratePerMinute, backend, faults });
  const service: Service = (request) =>
    request.method === "GET" && new URL(request.url).pathname === "/demo-data"
      ? Promise.resolve(json(200, listDemoData(seed)))
      : contract(request);
  return { service, faults, accounts: demoAccounts, ratePerMinute };
}
