/** The demo supplier's stock, written to CSV files and read back: a second backend for the contract's cases, with the demo's accounts. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Backend } from "../../src/embedded-service/backend";
import { demoSupplier, sampleItems, sampleStores } from "../../src/embedded-service/sample-stock/catalogue";
import { createSampleBackend } from "../../src/embedded-service/sample-stock/sample-backend";
import { demoWorld } from "../../src/embedded-service/sample-stock/worlds";
import { readFigures } from "../../src/server/figures/read-figures";
import { fixedGtin, startMs } from "./caller";

const dayMs = 86_400_000;
const itemsWithHistory = 12;
const supplier = demoSupplier;
const items = sampleItems.filter((item) => item.supplier.id === supplier.id);

/** A file has one supplier, who takes the place of the demo's. */
const accounts: Backend["accounts"] = {
  ...demoWorld.accounts,
  async find(consumerId) {
    const consumer = await demoWorld.accounts.find(consumerId);
    return consumer?.supplier?.id === "rival" ? null : consumer;
  },
};

export async function csvBackend(): Promise<(now: () => number) => Backend> {
  const folder = mkdtempSync(join(tmpdir(), "inv-csv-"));
  const [stock, events] = [join(folder, "stock.csv"), join(folder, "events.csv")];
  const sample = createSampleBackend(demoWorld, { seed: 1, now: () => startMs });
  writeFileSync(stock, await counts(sample));
  writeFileSync(events, await histories(sample));
  const { figures } = await readFigures({ stock, events }, startMs);
  rmSync(folder, { recursive: true });
  return (now) => figures.backend(accounts, now);
}

async function counts(sample: Backend): Promise<string> {
  const lines = ["store_nbr,gtin,wm_item_number,location_area,state,quantity,last_updated_time"];
  for (const storeNumber of storesInFile()) {
    const values = items.map(({ gtin }) => gtin);
    const answer = await sample.stock.read({ supplier, storeNumber, itemType: "gtin", values });
    answer.forEach((item, index) => {
      if (item.kind !== "stock") return;
      for (const { locationArea, state, quantity } of item.locations) {
        const counted = [locationArea, state, quantity, iso(item.lastUpdatedMs)];
        lines.push([storeNumber, values[index], item.itemNumber, ...counted].join(","));
      }
    });
  }
  return lines.join("\n");
}

async function histories(sample: Backend): Promise<string> {
  const lines = ["store_nbr,gtin,location_area,event_type,event_qty,event_creation_time,aggregated_qty"];
  const gtins = items.map(({ gtin }) => gtin);
  const withHistory = [...new Set([fixedGtin, ...gtins])].slice(0, itemsWithHistory);
  for (const storeNumber of storesInFile()) {
    for (const gtin of withHistory) {
      for (const locationArea of ["STORE", "BACKROOM"] as const) {
        const answer = await sample.history.read({
          ...{ supplier, storeNumber, gtin, locationArea, eventType: null, cursor: null },
          ...{ fromMs: startMs - 8 * dayMs, untilMs: startMs + 1, pageSize: 100_000 },
        });
        if (answer.kind !== "events") continue;
        for (const { createdAtMs, eventType, quantity, quantityAfter } of answer.events) {
          const happened = [eventType, quantity, iso(createdAtMs), quantityAfter];
          lines.push([storeNumber, gtin, locationArea, ...happened].join(","));
        }
      }
    }
  }
  return lines.join("\n");
}

/** Returns the fixed store, and one store for each length of number. */
export function storesInFile(): number[] {
  const numbers = sampleStores.map(({ storeNumber }) => storeNumber);
  const byLength = new Map([...numbers].reverse().map((number) => [String(number).length, number]));
  return [...new Set([1234, ...byLength.values()])];
}

function iso(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}
