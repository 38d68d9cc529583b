/**
 * The three worlds of sample stock. `demo` shows everything at once. `embedded-sandbox` and
 * `embedded-production` play the document's two environments, each with its own consumers and quantities:
 * production has the whole catalogue, the sandbox data for its designated pairs of store and GTIN alone.
 */
import { createSampleAccounts, type SampleAccounts } from "./accounts";
import {
  demoSupplier,
  fixedStoreNumber,
  rivalSupplier,
  type SampleItem,
  sampleItems,
  type SampleStore,
  sampleStores,
} from "./catalogue";
import { isGap } from "./pair";

export interface SampleWorld {
  readonly id: "demo" | "embedded-sandbox" | "embedded-production";
  readonly label: string;
  readonly kind: "demo" | "sandbox" | "production";
  readonly accounts: SampleAccounts;
  readonly stores: readonly SampleStore[];
  /** What `/demo-data` lists; every item of the catalogue is mapped to its supplier. */
  readonly listedItems: readonly SampleItem[];
  /** Added to the seed, so that no two worlds show the same quantities. */
  readonly seedOffset: number;
  hasData(store: SampleStore, item: SampleItem, seed: number): boolean;
}

/** How many of the supplier's first items the sandbox has at its stores; one store of each length a number can have. */
const designatedItems: ReadonlyMap<number, number> = new Map([
  [fixedStoreNumber, 12],
  [12, 4],
  [100, 4],
  [10_025, 4],
  [100_204, 4],
]);

const wholeCatalogue = {
  stores: sampleStores,
  listedItems: sampleItems,
  hasData: (store: SampleStore, item: SampleItem, seed: number) => !isGap(store, item, seed),
};

export const demoWorld: SampleWorld = {
  id: "demo",
  label: "Demo",
  kind: "demo",
  accounts: createSampleAccounts("demo"),
  seedOffset: 0,
  ...wholeCatalogue,
};

const firstRivalItem = sampleItems.find(({ supplier }) => supplier === rivalSupplier);
const sandboxStores = sampleStores.filter(({ storeNumber }) => designatedItems.has(storeNumber));

export const sandboxWorld: SampleWorld = {
  id: "embedded-sandbox",
  label: "Sandbox (sample data)",
  kind: "sandbox",
  accounts: createSampleAccounts("sandbox"),
  stores: sandboxStores,
  listedItems: sampleItems.filter((item) => sandboxStores.some((store) => isDesignated(store, item))),
  seedOffset: 1,
  hasData: isDesignated,
};

export const productionWorld: SampleWorld = {
  id: "embedded-production",
  label: "Production (sample data)",
  kind: "production",
  accounts: createSampleAccounts("production"),
  seedOffset: 2,
  ...wholeCatalogue,
};

export const sampleWorlds: readonly SampleWorld[] = [demoWorld, sandboxWorld, productionWorld];

/** The other supplier has one pair, which shows that an item belongs to one supplier alone. */
function isDesignated({ storeNumber }: SampleStore, item: SampleItem): boolean {
  if (item.supplier === demoSupplier) return item.index < (designatedItems.get(storeNumber) ?? 0);
  return storeNumber === fixedStoreNumber && item === firstRivalItem;
}
