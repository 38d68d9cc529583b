/**
 * The three worlds of sample stock. `demo` shows everything. `embedded-sandbox` and `embedded-production` imitate the document's two
 * environments, each with its own consumers and quantities: production has the whole catalogue, the sandbox only data for its
 * designated pairs of store and GTIN.
 */
import type { Accounts, Consumer, Supplier } from "../backend";
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

interface NamedAccount {
  readonly name: string;
  readonly consumerId: string;
  readonly clientSecret: string;
  readonly supplierName: string;
}

interface SampleAccounts extends Accounts {
  /** The default account is first. */
  readonly named: readonly [NamedAccount, ...NamedAccount[]];
}

export interface SampleWorld {
  readonly id: "demo" | "embedded-sandbox" | "embedded-production";
  readonly label: string;
  readonly kind: "demo" | "sandbox" | "production";
  readonly accounts: SampleAccounts;
  readonly stores: readonly SampleStore[];
  /** The items in `/demo-data`. Every item of the catalogue is mapped to its supplier. */
  readonly listedItems: readonly SampleItem[];
  /** Added to the seed, so that worlds have different quantities. */
  readonly seedOffset: number;
  hasData(store: SampleStore, item: SampleItem, seed: number): boolean;
}

/** Number of the supplier's first items that the sandbox has at each store. There is one store for each length of number. */
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

/** The other supplier has one pair, which shows that an item belongs to only one supplier. */
function isDesignated({ storeNumber }: SampleStore, item: SampleItem): boolean {
  if (item.supplier === demoSupplier) return item.index < (designatedItems.get(storeNumber) ?? 0);
  return storeNumber === fixedStoreNumber && item === firstRivalItem;
}

/**
 * Returns four accounts, one for each outcome of the documented authentication table. Their secrets are public, because they give access only
 * to sample stock.
 * @param main the first account's name, and except in the demo the prefix of the others
 */
function createSampleAccounts(main: "demo" | "sandbox" | "production"): SampleAccounts {
  const prefix = main === "demo" ? "" : `${main}-`;
  const consumers = new Map<string, Consumer>();
  const add = (name: string, subscribed: boolean, supplier: Supplier | null): NamedAccount => {
    const consumerId = `${name}-consumer`;
    consumers.set(consumerId, { consumerId, subscribed, supplier });
    return { name, consumerId, clientSecret: `${name}-secret`, supplierName: supplier?.name ?? "" };
  };
  const named = [
    add(main, true, demoSupplier),
    add(`${prefix}rival`, true, rivalSupplier),
    add(`${prefix}unsubscribed`, false, demoSupplier),
    add(`${prefix}unmapped`, true, null),
  ] as const;
  return {
    named,
    find: (consumerId) => Promise.resolve(consumers.get(consumerId) ?? null),
    checkSecret: (consumerId, clientSecret) =>
      Promise.resolve(
        named.some((known) => known.consumerId === consumerId && known.clientSecret === clientSecret),
      ),
  };
}
