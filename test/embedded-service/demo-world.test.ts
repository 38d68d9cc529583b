/** The demo world is consistent: identifiers, gaps, and stock that follows from the events. */
import { createSampleBackend } from "../../src/embedded-service/sample-stock/sample-backend";
import { listSampleStock } from "../../src/embedded-service/sample-stock/sample-service";
import { demoWorld } from "../../src/embedded-service/sample-stock/worlds";
import { embeddedAt } from "../helpers/embedded";
import { movedTo } from "../helpers/moved-date";
import type { HistoryPageQuery, StockEvent, StockItem, Supplier } from "../../src/embedded-service/backend";

const noonMs = Date.parse("2026-11-20T12:00:00Z");
const dayMs = 86_400_000;
const demo: Supplier = { id: "demo", name: "Demo Foods Inc." };
const data = listSampleStock(demoWorld, 1);
const ownItems = data.items.filter(({ supplier_name: name }) => name === demo.name);

function backendAt(nowMs: number, seed = 1) {
  return createSampleBackend(demoWorld, { seed, now: () => nowMs });
}

async function stock(
  nowMs: number,
  storeNumber: number,
  gtins: readonly string[],
): Promise<readonly StockItem[]> {
  return backendAt(nowMs).stock.read({
    supplier: demo,
    storeNumber,
    itemType: "gtin",
    values: gtins,
  });
}

async function history(
  nowMs: number,
  query: Pick<HistoryPageQuery, "storeNumber" | "gtin"> & Partial<HistoryPageQuery>,
): Promise<readonly StockEvent[]> {
  const today = Math.floor(nowMs / dayMs) * dayMs;
  const answer = await backendAt(nowMs).history.read({
    supplier: demo,
    fromMs: today - 6 * dayMs,
    untilMs: today + dayMs,
    locationArea: "STORE",
    eventType: null,
    cursor: null,
    pageSize: 1_000_000,
    ...query,
  });
  return answer.kind === "events" ? answer.events : [];
}

function available(item: StockItem | undefined, area: string): number | undefined {
  return item?.kind === "stock"
    ? item.locations.find(({ locationArea, state }) => locationArea === area && state === "AVAILABLE")
        ?.quantity
    : undefined;
}

describe("the demo world", () => {
  it("makes the list of its stores and items once, because everybody may ask for it", async () => {
    let looks = 0;
    const world = {
      ...demoWorld,
      hasData(...pair: Parameters<typeof demoWorld.hasData>) {
        looks += 1;
        return demoWorld.hasData(...pair);
      },
    };
    const [served] = embeddedAt(() => noonMs, [world]).worlds;
    const ask = async (): Promise<unknown> =>
      (await served!.service(new Request("http://service/demo-data"))).json();
    const [first, again] = [await ask(), await ask()];
    expect(again).toEqual(first);
    expect(looks).toBe(data.items.length * data.stores.length);
  });

  it("has no events for two hours where the browser tests compare", async () => {
    const gtins = ["00012345678905", "00012345678912", "00012345679100", "00012345679117"];
    for (const storeNumber of [57, 1234, 1301]) {
      for (const gtin of gtins) {
        const events = await history(movedTo + 2 * 3_600_000, { storeNumber, gtin });
        expect(events.filter(({ createdAtMs }) => createdAtMs > movedTo)).toEqual([]);
      }
    }
  });

  it("has at least 40 stores and 600 items of the demo supplier, store 1234 and the fixed item first", () => {
    expect(data.stores.length).toBeGreaterThanOrEqual(40);
    expect(new Set(data.stores).size).toBe(data.stores.length);
    expect(data.stores[0]).toBe(1234);
    expect(data.stores.every((store) => store >= 10 && store <= 999_999)).toBe(true);
    expect(ownItems.length).toBeGreaterThanOrEqual(600);
    expect(data.items[0]).toMatchObject({ gtin: "00012345678905", wm_item_number: "123456789" });
    expect(data.items[0]?.stores_without_data).not.toContain(1234);
  });

  it("has unique identifiers, GTINs of 14 digits with a right check digit, item numbers of 9 digits", () => {
    for (const { gtin, wm_item_number: itemNumber } of data.items) {
      expect(gtin).toMatch(/^\d{14}$/);
      expect(itemNumber).toMatch(/^\d{9}$/);
      const digits = Array.from(gtin, Number);
      const sum = digits.slice(0, 13).reduce((total, digit, place) => total + digit * [3, 1][place % 2]!, 0);
      expect(digits[13]).toBe((10 - (sum % 10)) % 10);
    }
    expect(new Set(data.items.map(({ gtin }) => gtin)).size).toBe(data.items.length);
    expect(new Set(data.items.map(({ wm_item_number: number }) => number)).size).toBe(data.items.length);
  });

  it("has four accounts, items of a rival, gaps at some stores and one item without data anywhere", () => {
    expect(data.accounts.map(({ name }) => name)).toEqual(["demo", "rival", "unsubscribed", "unmapped"]);
    expect(data.items.some(({ supplier_name: name }) => name === "Rival Brands Ltd.")).toBe(true);
    const gaps = ownItems.map(({ stores_without_data: stores }) => stores.length);
    expect(gaps.filter((count) => count > 0 && count < 40).length).toBeGreaterThan(100);
    expect(gaps.filter((count) => count === data.stores.length)).toHaveLength(1);
    expect(data.note).toMatch(/not part of the service's contract/i);
  });

  it("has no data exactly where the list says so", async () => {
    const gtins = ownItems.map(({ gtin }) => gtin);
    for (const store of data.stores.slice(0, 5)) {
      const items = await stock(noonMs, store, gtins);
      items.forEach((item, index) => {
        const listed = ownItems[index]!.stores_without_data.includes(store);
        expect(item.kind).toBe(listed ? "no-data" : "stock");
      });
    }
  });

  it("has stock that agrees with the latest event, in each area, at any time", async () => {
    const gtins = ownItems.slice(0, 60).map(({ gtin }) => gtin);
    let compared = 0;
    for (const nowMs of [noonMs, noonMs + 1, noonMs + 7_200_000, Date.parse("2027-03-01T00:00:00Z")]) {
      const items = await stock(nowMs, 1234, gtins);
      for (const [index, gtin] of gtins.entries()) {
        const item = items[index]!;
        if (item.kind !== "stock") continue;
        for (const locationArea of ["STORE", "BACKROOM"] as const) {
          const last = (await history(nowMs, { storeNumber: 1234, gtin, locationArea })).at(-1);
          if (last === undefined) continue;
          expect(available(item, locationArea)).toBe(last.quantityAfter);
          expect(last.createdAtMs).toBeLessThanOrEqual(nowMs);
          if (locationArea === "STORE") expect(item.lastUpdatedMs).toBe(last.createdAtMs);
          else expect(item.lastUpdatedMs).toBeGreaterThanOrEqual(last.createdAtMs);
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(300);
  });

  it("counts from event to event: sales subtract, receipts add, notes change nothing", async () => {
    const taking = new Set(["SALES", "POF", "LP"]);
    const adding = new Set(["RETURNS", "LR", "BR", "PI", "SBC"]);
    for (const { gtin } of ownItems.slice(0, 100)) {
      const events = await history(noonMs, { storeNumber: 1234, gtin });
      events.forEach((event, index) => {
        const before = events[index - 1];
        if (before === undefined) return;
        const sign = taking.has(event.eventType) ? -1 : adding.has(event.eventType) ? 1 : 0;
        expect(event.quantityAfter).toBe(before.quantityAfter + sign * event.quantity);
        expect(event.quantityAfter).toBeGreaterThanOrEqual(0);
        expect(event.createdAtMs).toBeGreaterThanOrEqual(before.createdAtMs);
      });
    }
  });

  it("adds events as time passes, and never changes earlier ones", async () => {
    const query = { storeNumber: 1234, gtin: "00012345678905" };
    const early = await history(noonMs, query);
    const later = await history(noonMs + 10 * 3_600_000, query);
    expect(later.length).toBeGreaterThan(early.length + 3);
    expect(later.slice(0, early.length)).toEqual(early);
  });

  it("returns the same events for a part of a history as for the whole", async () => {
    const query = { storeNumber: 1234, gtin: "00012345678905" };
    const whole = await history(noonMs, query);
    for (let day = 1; day <= 6; day += 1) {
      const fromMs = Math.floor(noonMs / dayMs) * dayMs - day * dayMs + 5_000_000;
      expect(await history(noonMs, { ...query, fromMs })).toEqual(
        whole.filter(({ createdAtMs }) => createdAtMs >= fromMs),
      );
    }
  });

  it("has every documented event code, LP, POF, and histories of several pages", async () => {
    const codes = new Set<string>();
    let long = 0;
    for (const store of data.stores.slice(0, 6)) {
      for (const { gtin } of ownItems.slice(0, 150)) {
        const events = await history(noonMs, { storeNumber: store, gtin });
        if (events.length > 100) long += 1;
        for (const event of events) codes.add(event.eventType);
      }
    }
    const documented =
      "SALES RETURNS LR SI SILR BR SBC PI IL DS DA RA DO DR DV DP PR DX PCID CDV2 CDC NB LP POF".split(" ");
    expect([...codes].sort()).toEqual(documented.sort());
    expect(long).toBeGreaterThan(10);
  });

  it("depends on the seed, except for stores and items", async () => {
    expect(await stock(noonMs, 1234, ["00012345678905"])).toEqual(
      await stock(noonMs, 1234, ["00012345678905"]),
    );
    const values = ownItems.slice(0, 100).map(({ gtin }) => gtin);
    const query = { supplier: demo, storeNumber: 1234, itemType: "gtin", values } as const;
    const [one, other] = [
      await backendAt(noonMs, 1).stock.read(query),
      await backendAt(noonMs, 2).stock.read(query),
    ];
    expect(other).not.toEqual(one);
    expect(listSampleStock(demoWorld, 2).items.map(({ gtin }) => gtin)).toEqual(
      data.items.map(({ gtin }) => gtin),
    );
  });

  it("lists the items of one CID that have data at the store, with their stock", async () => {
    const pair = ownItems.filter(({ cid }) => cid === ownItems[3]!.cid);
    expect(pair).toHaveLength(2);
    const store = data.stores.find((one) => pair.every((item) => !item.stores_without_data.includes(one)))!;
    const [item, other] = await stock(
      noonMs,
      store,
      pair.map(({ gtin }) => gtin),
    );
    const members = item?.kind === "stock" ? item.consumerItems[0]?.members : [];
    expect(members?.map(({ gtin, quantity }) => [gtin, quantity])).toEqual([
      [pair[0]!.gtin, available(item, "STORE")],
      [pair[1]!.gtin, available(other, "STORE")],
    ]);
  });
});
