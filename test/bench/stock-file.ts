/**
 * Calls a second of `POST /search-items` with 100 items each: the embedded service over a stock file of 1,000,000
 * records, over the demo world, and beside them SQLite's own look-ups of the same records, prepared and answering
 * nobody. In turns within one process, so that a busy machine slows all alike.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDemoService } from "../../src/service/demo/demo-service";
import { createEmbeddedService } from "../../src/service/embedded-service";
import type { Service } from "../../src/service/service";
import { createStockWriter, credentialsFor } from "../../src/server/import/stock-writer";
import { followStockFile } from "../../src/server/stock-file/follow-stock-file";
import { openStockFile } from "../../src/server/stock-file/open-stock-file";

const stores = 200;
const items = 5_000;
const itemsPerCall = 100;
const callsPerTurn = 20;
const turns = 15;
const warmTurns = 3;
const atMs = Date.parse("2026-11-20T05:58:00Z");

type Ask = (call: number) => Promise<number>;

void measure();

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "inv-bench-"));
  try {
    const path = join(folder, "stock.db");
    const credentials = await credentialsFor(path, "Bench");
    const writer = await createStockWriter({ path, supplier: "Bench", credentials });
    for (let store = 0; store < stores; store++) {
      for (let item = 0; item < items; item++) writer.addStock(rowOf(store, item));
    }
    writer.finish();
    const file = await followStockFile({
      path,
      now: () => atMs,
      steadyNow: () => performance.now(),
      tell: () => undefined,
    });
    const { database } = await openStockFile(path);
    const lookUp = database.prepare(
      "SELECT location_area, state, quantity, updated_ms FROM items JOIN stock USING (item) WHERE gtin = ? AND store = ?",
    );
    const options = { now: Date.now, random: () => 0.5, sleep: () => Promise.resolve(), ratePerMinute: 1e9 };
    const demo = createDemoService(options);
    const listed = (await (await demo.service(new Request("http://s/demo-data"))).json()) as {
      stores: number[];
      items: { gtin: string }[];
    };
    const ways: Record<string, Ask> = {
      "stock file": await askOf(createEmbeddedService(file, options).service, {
        ...credentials,
        storeOf: (call) => 1_000 + (call % stores),
        gtinOf: (call, place) => gtinOf((call * 131 + place * 37) % items),
      }),
      "demo world": await askOf(demo.service, {
        consumerId: "demo-consumer",
        clientSecret: "demo-secret",
        storeOf: (call) => listed.stores[call % listed.stores.length] ?? 0,
        gtinOf: (call, place) => listed.items[(call * 31 + place) % listed.items.length]?.gtin ?? "",
      }),
      "SQLite alone": (call) => {
        let found = 0;
        for (let place = 0; place < itemsPerCall; place++) {
          found += lookUp.all(gtinOf((call * 131 + place * 37) % items), 1_000 + (call % stores)).length;
        }
        return Promise.resolve(found);
      },
    };
    process.send?.(await inTimeSlices(ways));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Calls a second by way: of each turn. */
async function inTimeSlices(ways: Readonly<Record<string, Ask>>): Promise<Record<string, number[]>> {
  const rates: Record<string, number[]> = Object.fromEntries(Object.keys(ways).map((way) => [way, []]));
  let call = 0;
  for (let turn = 0; turn < warmTurns + turns; turn++) {
    for (const [way, ask] of Object.entries(ways)) {
      const beganMs = performance.now();
      for (let each = 0; each < callsPerTurn; each++) {
        call += 1;
        if ((await ask(call)) === 0) throw new Error(`Nothing was found by ${way}.`);
      }
      if (turn >= warmTurns) rates[way]?.push((callsPerTurn * 1000) / (performance.now() - beganMs));
    }
  }
  return rates;
}

interface Asking {
  readonly consumerId: string;
  readonly clientSecret: string | null;
  readonly storeOf: (call: number) => number;
  readonly gtinOf: (call: number, place: number) => string;
}

async function askOf(service: Service, { consumerId, clientSecret, storeOf, gtinOf }: Asking): Promise<Ask> {
  const token = await service(
    new Request("http://s/api-proxy/service/identity/oauth/v1/token", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `grant_type=client_credentials&client_id=${consumerId}&client_secret=${clientSecret ?? ""}`,
    }),
  );
  const { access_token } = (await token.json()) as { access_token: string };
  const headers = {
    authorization: `Bearer ${access_token}`,
    "wm_consumer.id": consumerId,
    "content-type": "application/json",
  };
  return async (call) => {
    const values = Array.from({ length: itemsPerCall }, (_, place) => gtinOf(call, place));
    const body = JSON.stringify({ item_type: "gtin", store_nbr: storeOf(call), item_type_values: values });
    const response = await service(new Request("http://s/search-items", { method: "POST", headers, body }));
    const answer = (await response.text()).match(/"SUCCESS"/g);
    return answer?.length ?? 0;
  };
}

function rowOf(store: number, item: number) {
  return {
    store: 1_000 + store,
    gtin: gtinOf(item),
    itemNumber: String(100_000_000 + item),
    cid: 50_000 + (item >> 1),
    locationArea: "STORE",
    state: "AVAILABLE",
    quantity: (store * item) % 97,
    updatedMs: atMs,
  };
}

function gtinOf(item: number): string {
  return String(10_000_000_000 + item * 7).padStart(14, "0");
}
