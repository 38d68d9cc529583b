/** The services for the contract's cases: the three worlds of sample stock, and CSV files of the demo's stock. */
import {
  demoWorld,
  productionWorld,
  type SampleWorld,
  sandboxWorld,
} from "../../src/embedded-service/sample-stock/worlds";
import { setStage } from "./caller";
import { csvBackend, storesInFile } from "./csv-world";

export interface ContractService {
  readonly name: string;
  readonly kind: "sandbox" | "production";
  /** `wm_svc.env`. */
  readonly label: string;
  /** The names of the four accounts. */
  readonly accounts: Readonly<Record<"main" | "rival" | "unsubscribed" | "unmapped", string>>;
  /** An item of the supplier with data at another store, but not at this one. */
  readonly pairWithoutData: { readonly store: number; readonly gtin: string; readonly itemNumber: string };
  /** Files of a supplier. They contain no items without data, so these look like nobody's. */
  readonly isFile: boolean;
  /** Makes it the service of new callers. Resolves with a function that ends it. */
  begin(): Promise<() => void>;
}

export const contractServices: readonly ContractService[] = [
  sampleService(demoWorld, "demo", 1),
  sampleService(sandboxWorld, "sandbox", 2),
  sampleService(productionWorld, "production", 3),
  {
    ...sampleService(demoWorld, "demo", 1),
    name: "CSV files",
    pairWithoutData: pairWithoutData(demoWorld, { seed: 1, among: storesInFile() }),
    isFile: true,
    async begin() {
      setStage({ backend: await csvBackend() });
      return () => undefined;
    },
  },
];

/** Runs a file's cases against each service. */
export function describeEach(
  services: readonly ContractService[],
  cases: (service: ContractService) => void,
): void {
  describe.each(services)("$name", (service) => {
    let end: (() => void) | null = null;
    beforeAll(async () => {
      end = await service.begin();
    });
    afterAll(() => {
      setStage({});
      end?.();
    });
    cases(service);
  });
}

function sampleService(world: SampleWorld, name: string, seed: number): ContractService {
  const prefix = name === "demo" ? "" : `${name}-`;
  return {
    name: world.id,
    kind: world.kind === "sandbox" ? "sandbox" : "production",
    label: name,
    accounts: {
      main: name,
      rival: `${prefix}rival`,
      unsubscribed: `${prefix}unsubscribed`,
      unmapped: `${prefix}unmapped`,
    },
    pairWithoutData: pairWithoutData(world, {
      seed,
      among: world.stores.map(({ storeNumber }) => storeNumber),
    }),
    isFile: false,
    begin() {
      setStage({ world });
      return Promise.resolve(() => undefined);
    },
  };
}

function pairWithoutData(
  world: SampleWorld,
  { seed, among }: { readonly seed: number; readonly among: readonly number[] },
): ContractService["pairWithoutData"] {
  const stores = world.stores.filter(({ storeNumber }) => among.includes(storeNumber));
  for (const item of world.listedItems.filter(({ supplier }) => supplier.id === "demo")) {
    const without = stores.filter((store) => !world.hasData(store, item, seed));
    const [store] = without;
    if (store !== undefined && without.length < stores.length) {
      return { store: store.storeNumber, gtin: item.gtin, itemNumber: item.itemNumber };
    }
  }
  throw new Error(`Every pair of ${world.id} has data.`);
}
