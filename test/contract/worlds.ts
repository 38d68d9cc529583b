/** What the contract's cases need to know of each environment they run against; the rest is the same in all. */
import {
  demoWorld,
  productionWorld,
  type SampleWorld,
  sandboxWorld,
} from "../../src/embedded-service/sample-stock/worlds";

export interface ContractWorld {
  readonly sample: SampleWorld;
  /** `wm_svc.env`. */
  readonly label: string;
  /** The four accounts by what they show, in the service's own order. */
  readonly accounts: Readonly<Record<"main" | "rival" | "unsubscribed" | "unmapped", string>>;
  /** An item of the supplier without data at this store, but with data at another. */
  readonly pairWithoutData: { readonly store: number; readonly gtin: string; readonly itemNumber: string };
}

export const contractWorlds: readonly ContractWorld[] = [
  {
    sample: demoWorld,
    label: "demo",
    accounts: { main: "demo", rival: "rival", unsubscribed: "unsubscribed", unmapped: "unmapped" },
    pairWithoutData: pairWithoutData(demoWorld, 1),
  },
  {
    sample: sandboxWorld,
    label: "sandbox",
    accounts: accountsOf("sandbox"),
    pairWithoutData: pairWithoutData(sandboxWorld, 2),
  },
  {
    sample: productionWorld,
    label: "production",
    accounts: accountsOf("production"),
    pairWithoutData: pairWithoutData(productionWorld, 3),
  },
];

function accountsOf(name: string): ContractWorld["accounts"] {
  return {
    main: name,
    rival: `${name}-rival`,
    unsubscribed: `${name}-unsubscribed`,
    unmapped: `${name}-unmapped`,
  };
}

function pairWithoutData(world: SampleWorld, seed: number): ContractWorld["pairWithoutData"] {
  for (const item of world.listedItems.filter(({ supplier }) => supplier.id === "demo")) {
    const without = world.stores.filter((store) => !world.hasData(store, item, seed));
    const [store] = without;
    if (store !== undefined && without.length < world.stores.length) {
      return { store: store.storeNumber, gtin: item.gtin, itemNumber: item.itemNumber };
    }
  }
  throw new Error(`Every pair of ${world.id} has data.`);
}
