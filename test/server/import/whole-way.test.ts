/** Functions show what the exports contained: through import, service, relay, engine and function. */
import { fc } from "../../helpers/properties";
import type { Environment } from "../../../src/domain/environment";
import { createEngine } from "../../../src/engine/engine";
import { eventQuantity, eventTable } from "../../../src/functions/catalogue/events";
import { qty, stockTable, updated } from "../../../src/functions/catalogue/inventory";
import { startFunctions } from "../../../src/functions/context";
import { createApp } from "../../../src/server/app";
import { createFaults } from "../../../src/embedded-service/faults";
import { createService, defaultRatePerMinute } from "../../../src/embedded-service/service";
import { followStockFile } from "../../../src/server/stock-file/follow-stock-file";
import { systemClock } from "../../bench/system-clock";
import { fakeContext, shownBy, withHost } from "../../functions/fakes";
import { createImportBed } from "../../helpers/imported";
import { settings, silentLog } from "../parts";

withHost();

const nowMs = Date.parse("2026-11-20T12:00:00Z");
const dayMs = 86_400_000;

const quantity = fc.integer({ min: -9_999_999, max: 9_999_999 }).map((thousandths) => thousandths / 1000);
const counts = fc.uniqueArray(
  fc.record({
    store: fc.constantFrom(10, 1234, 999_999),
    item: fc.integer({ min: 0, max: 4 }),
    area: fc.constantFrom("STORE", "BACKROOM"),
    state: fc.constantFrom("AVAILABLE", "NET_AVAILABLE"),
    quantity,
    agoSeconds: fc.integer({ min: 0, max: 9_000_000 }),
  }),
  {
    minLength: 1,
    maxLength: 40,
    selector: ({ store, item, area, state }) => `${store} ${item} ${area} ${state}`,
  },
);
const happened = fc.array(
  fc.record({
    store: fc.constantFrom(10, 1234),
    item: fc.integer({ min: 0, max: 1 }),
    type: fc.constantFrom("SALES", "LR", "XX"),
    quantity,
    // Within the six days before today, and the part of today that has passed.
    agoSeconds: fc.integer({ min: 0, max: (6 * dayMs + (nowMs % dayMs)) / 1000 }),
  }),
  { maxLength: 130 },
);

/** As Excel leaves them: numbers without their leading zeros. */
const gtinOf = (item: number) => String(12_345_678_905 + item * 7);
const numberOf = (item: number) => String(100_000_000 + item);
const at = (agoSeconds: number) => new Date(nowMs - agoSeconds * 1000).toISOString().slice(0, 19);

it("shows every count and event as in the exports", async () => {
  await fc.assert(
    fc.asyncProperty(counts, happened, async (stockRows, events) => {
      const bed = createImportBed();
      bed.write(
        "inventory.csv",
        [
          "store,gtin,item_number,location_area,state,quantity,last_updated",
          ...stockRows.map(({ store, item, area, state, quantity: count, agoSeconds }) =>
            [store, gtinOf(item), numberOf(item), area, state, count, at(agoSeconds)].join(","),
          ),
        ].join("\n"),
      );
      bed.write(
        "events.csv",
        [
          "store,gtin,time,event_type,quantity,quantity_after",
          ...events.map(({ store, item, type, quantity: count, agoSeconds }) =>
            [store, gtinOf(item), at(agoSeconds), type, count, 5].join(","),
          ),
        ].join("\n"),
      );
      const { credentials, faults } = await bed.run();
      expect(faults.report()).toEqual([]);
      const end = await openFunctions(bed.path("stock.db"), credentials);
      try {
        for (const { store, item, area, state, quantity: count } of stockRows) {
          expect(await shownBy(qty([[store]], [[gtinOf(item)]], [[area]], [[state]]))).toBe(count);
          const number = [[numberOf(item)]];
          const asked = qty([[store]], number, [[area]], [[state]], [["wm_item_number"]]);
          expect(await shownBy(asked)).toBe(count);
        }
        for (const { store, item } of stockRows) {
          const own = stockRows.filter((row) => row.store === store && row.item === item);
          const latest = Math.min(...own.map(({ agoSeconds }) => agoSeconds));
          const shown = await shownBy(updated([[store]], [[gtinOf(item)]]));
          expect(shown).toBeCloseTo((nowMs - latest * 1000) / dayMs + 25_569, 6);
          expect(await shownBy(stockTable(store, gtinOf(item), null, false))).toHaveLength(own.length);
        }
        for (const { store, item } of events) {
          const own = events.filter((event) => event.store === store && event.item === item);
          const sales = own.filter(({ type }) => type === "SALES");
          const sum = sales.reduce((total, event) => total + event.quantity, 0);
          expect(await shownBy(eventQuantity([[store]], [[gtinOf(item)]], [["SALES"]]))).toBeCloseTo(sum, 6);
          const rows = await shownBy(eventTable(store, gtinOf(item), null, null, null, null, false));
          expect(own.length === 1 ? 1 : (rows as unknown[]).length).toBe(own.length);
        }
      } finally {
        await end();
        bed.end();
      }
    }),
    { numRuns: 12 },
  );
});

async function openFunctions(
  path: string,
  { consumerId, clientSecret }: { readonly consumerId: string; readonly clientSecret: string | null },
): Promise<() => Promise<void>> {
  const file = await followStockFile({ path, now: () => nowMs, steadyNow: () => 0, tell: () => undefined });
  const faults = createFaults();
  const service = createService({
    backend: file.backend,
    list: file.list,
    faults,
    now: Date.now,
    worldNow: () => nowMs,
    random: () => 0.5,
    sleep: () => Promise.resolve(),
  });
  const { app } = await createApp({
    config: settings({}),
    folder: __dirname,
    embedded: {
      faults,
      worlds: [
        {
          service,
          environment: { id: consumerId, label: "ACME", kind: "file", ratePerMinute: defaultRatePerMinute },
        },
      ],
      faultSwitches: false,
    },
    now: () => performance.now(),
    log: silentLog,
  });
  const engine = createEngine({
    clock: systemClock,
    async transport(request) {
      const { pathname, search } = new URL(request.url);
      const response = await app.inject({
        method: request.method as "GET" | "POST",
        url: pathname + search,
        headers: { ...Object.fromEntries(request.headers), host: "localhost" },
        payload: Buffer.from(await request.arrayBuffer()),
      });
      const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
      return new Response(new Uint8Array(response.rawPayload), {
        status: response.statusCode,
        headers: headers as [string, string][],
      });
    },
  });
  const listed = (await app.inject({ url: "/environments.json", headers: { host: "localhost" } })).json<{
    environments: Environment[];
  }>();
  const [environment] = listed.environments;
  const urls = Object.fromEntries(
    (["tokenUrl", "searchUrl", "eventsUrl"] as const).map((name) => [
      name,
      `http://localhost${environment![name]}`,
    ]),
  );
  engine.connect({
    environment: { ...environment!, ...urls },
    credentials: { consumerId, clientSecret: clientSecret ?? "" },
  });
  startFunctions({ ...fakeContext(), engine, now: () => nowMs });
  return async () => {
    await app.close();
    file.close();
  };
}
