/**
 * `GET /demo-data`: what there is to ask for in the demo world, for people and programs that try the
 * service. Not part of the documented contract, and it says so.
 */
import { demoAccounts } from "./accounts";
import { demoItems, demoStores } from "./catalogue";
import { hasData } from "./pair";

export interface DemoList {
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
}

export function listDemoData(seed: number): DemoList {
  return {
    note: "A list of the demo world. Not part of the service's contract: a real service has no such address.",
    accounts: demoAccounts.map(({ name, consumerId, clientSecret, supplierName }) => ({
      name,
      consumer_id: consumerId,
      client_secret: clientSecret,
      supplier_name: supplierName,
    })),
    stores: demoStores.map(({ storeNumber }) => storeNumber),
    stores_in_all: demoStores.length,
    items: demoItems.map((item) => ({
      gtin: item.gtin,
      wm_item_number: item.itemNumber,
      cid: item.cid,
      supplier_name: item.supplier.name,
      stores_without_data: demoStores
        .filter((store) => !hasData(store, item, seed))
        .map(({ storeNumber }) => storeNumber),
    })),
    items_in_all: demoItems.length,
  };
}
