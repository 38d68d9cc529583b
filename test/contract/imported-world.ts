/** The demo world, exported and imported into a stock file: a second backend for the contract's cases, with `--test-accounts`. */
import type { Backend, Supplier } from "../../src/embedded-service/backend";
import { demoSupplier, sampleItems, sampleStores } from "../../src/embedded-service/sample-stock/catalogue";
import { createSampleBackend } from "../../src/embedded-service/sample-stock/sample-backend";
import { demoWorld } from "../../src/embedded-service/sample-stock/worlds";
import {
  createImportedBackend,
  withTestAccounts,
} from "../../src/embedded-service/imported/imported-backend";
import { openStockFile } from "../../src/server/stock-file/open-stock-file";
import { createImportBed } from "../helpers/imported";
import { fixedGtin, startMs } from "./caller";

const dayMs = 86_400_000;
const itemsWithHistory = 12;

export interface ImportedWorld {
  backend(now: () => number): Backend;
  end(): void;
}

/** Imports the demo supplier's exports. The stock file stays open until `end`. */
export async function importDemoWorld(): Promise<ImportedWorld> {
  const supplier = demoSupplier;
  const bed = createImportBed();
  const sample = createSampleBackend(demoWorld, { seed: 1, now: () => startMs });
  bed.write("inventory.csv", await inventory(sample, supplier));
  bed.write("events.csv", await events(sample, supplier));
  const { faults } = await bed.run({ supplier: supplier.name });
  if (faults.count() > 0) throw new Error(faults.report().join("\n"));
  const file = await openStockFile(bed.path("stock.db"));
  return {
    backend: (now) =>
      withTestAccounts(createImportedBackend({ database: file.database, now }), supplier.name),
    end() {
      file.close();
      bed.end();
    },
  };
}

function itemsOf(supplier: Supplier) {
  return sampleItems.filter((item) => item.supplier.id === supplier.id);
}

async function inventory(backend: Backend, supplier: Supplier): Promise<string> {
  const items = itemsOf(supplier);
  const lines = ["store,gtin,item_number,location_area,state,quantity,last_updated,cid"];
  for (const storeNumber of exportedStores()) {
    const values = items.map(({ gtin }) => gtin);
    const answer = await backend.stock.read({ supplier, storeNumber, itemType: "gtin", values });
    answer.forEach((item, index) => {
      const { gtin, cid } = items[index]!;
      if (item.kind !== "stock") return;
      for (const { locationArea, state, quantity } of item.locations) {
        const counted = [locationArea, state, quantity, iso(item.lastUpdatedMs)];
        lines.push([storeNumber, gtin, item.itemNumber, ...counted, cid].join(","));
      }
    });
  }
  return lines.join("\n");
}

async function events(backend: Backend, supplier: Supplier): Promise<string> {
  const lines = ["store,gtin,location_area,time,event_type,quantity,quantity_after"];
  const gtins = itemsOf(supplier).map(({ gtin }) => gtin);
  const withHistory = new Set([...gtins.filter((gtin) => gtin === fixedGtin), ...gtins]);
  for (const storeNumber of exportedStores()) {
    for (const gtin of [...withHistory].slice(0, itemsWithHistory)) {
      for (const locationArea of ["STORE", "BACKROOM"] as const) {
        const answer = await backend.history.read({
          ...{ supplier, storeNumber, gtin, locationArea, eventType: null, cursor: null },
          ...{ fromMs: startMs - 8 * dayMs, untilMs: startMs + 1, pageSize: 100_000 },
        });
        if (answer.kind !== "events") continue;
        for (const { createdAtMs, eventType, quantity, quantityAfter } of answer.events) {
          const happened = [iso(createdAtMs), eventType, quantity, quantityAfter];
          lines.push([storeNumber, gtin, locationArea, ...happened].join(","));
        }
      }
    }
  }
  return lines.join("\n");
}

/** Returns the fixed store, and one store for each length of number. */
export function exportedStores(): number[] {
  const numbers = sampleStores.map(({ storeNumber }) => storeNumber);
  const byLength = new Map([...numbers].reverse().map((number) => [String(number).length, number]));
  return [...new Set([1234, ...byLength.values()])];
}

function iso(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}
