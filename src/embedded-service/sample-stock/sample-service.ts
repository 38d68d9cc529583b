/** The embedded service over a world of sample stock, and the list of its stores and items for people and programs that try it. */
import { createService, type Service, type ServiceOptions } from "../service";
import { createSampleBackend } from "./sample-backend";
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
  /** Made once: everybody may ask for it, and it looks at each pair of store and item. */
  let listed: SampleList | null = null;
  return createService({
    ...options,
    backend: createSampleBackend(world, { seed: worldSeed, now: options.now }),
    list: () => Promise.resolve((listed ??= listSampleStock(world, worldSeed))),
    environment: world.kind,
    isSandbox: world.kind === "sandbox",
  });
}

/** `GET /demo-data`. Not part of the contract. */
interface SampleList {
  readonly note: string;
  readonly accounts: readonly {
    name: string;
    consumer_id: string;
    client_secret: string;
    supplier_name: string;
  }[];
  readonly stores: readonly number[];
  readonly stores_in_all: number;
  readonly items: readonly {
    gtin: string;
    wm_item_number: string;
    cid: number;
    supplier_name: string;
    /** Store numbers. */
    stores_without_data: readonly number[];
  }[];
  readonly items_in_all: number;
  /** Sandbox only: all pairs that have data. */
  readonly designated_pairs?: readonly { store_nbr: number; gtin: string }[];
}

export function listSampleStock(world: SampleWorld, seed: number): SampleList {
  const { stores, listedItems, hasData } = world;
  return {
    note: "A list of sample stock. Not part of the service's contract: a real service has no such address.",
    accounts: world.accounts.named.map(({ name, consumerId, clientSecret, supplierName }) => ({
      name,
      consumer_id: consumerId,
      client_secret: clientSecret,
      supplier_name: supplierName,
    })),
    stores: stores.map(({ storeNumber }) => storeNumber),
    stores_in_all: stores.length,
    items: listedItems.map((item) => ({
      gtin: item.gtin,
      wm_item_number: item.itemNumber,
      cid: item.cid,
      supplier_name: item.supplier.name,
      stores_without_data: stores
        .filter((store) => !hasData(store, item, seed))
        .map(({ storeNumber }) => storeNumber),
    })),
    items_in_all: listedItems.length,
    ...(world.kind === "sandbox" && {
      designated_pairs: stores.flatMap((store) =>
        listedItems
          .filter((item) => hasData(store, item, seed))
          .map(({ gtin }) => ({ store_nbr: store.storeNumber, gtin })),
      ),
    }),
  };
}
