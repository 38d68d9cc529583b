/** Calls and virtual time of whole sheets: the fewest calls, as soon as connections and quota allow. */
import { useLightMessages } from "../helpers/light-messages";
import { askInBursts, createBed, item, lastMs, noQuota, sheet, tally, ask, warmBed, outcomes } from "./bed";

useLightMessages();

const tokenMs = 80;

describe("cells that arrive at once", () => {
  it.each([
    [0, 0],
    [1, 1],
    [99, 1],
    [100, 1],
    [101, 2],
    [10_000, 100],
  ])("%i items of one store take %i calls", async (cells, calls) => {
    const bed = createBed(noQuota);
    expect(await outcomes(bed, sheet(1, cells))).toEqual(cells === 0 ? {} : { value: cells });
    expect(bed.service.of("search")).toHaveLength(calls);
  });

  it("need, for each store, one call per hundred different items", async () => {
    const bed = createBed(noQuota);
    const cells = [...sheet(7, 130), ...sheet(7, 130), item(0, 500)];
    expect(await outcomes(bed, cells)).toEqual({ value: cells.length });
    expect(bed.service.of("search")).toHaveLength(14);
  });

  it("need separate calls for item numbers and GTINs of one store", async () => {
    const bed = createBed(noQuota);
    await ask(bed, [item(0, 1), { storeNumber: 1_000, itemType: "wm_item_number", value: "123456789" }]);
    expect(bed.service.of("search").map((call) => call.itemType)).toEqual(["gtin", "wm_item_number"]);
  });

  it("keep all connections busy until the last value", async () => {
    const bed = createBed(noQuota);
    const startMs = bed.clock.now();
    const ended = await ask(bed, sheet(50, 700));
    expect(tally(ended)).toEqual({ value: 35_000 });
    expect(bed.service.of("search")).toHaveLength(350);
    const leastMs = Math.ceil(350 / 6) * 80;
    expect(lastMs(ended) - startMs - tokenMs).toBeLessThanOrEqual(leastMs * 1.01);
    expect(bed.service.mostInFlight).toBe(6);
  });
});

it("part-filled calls leave as soon as no more cells arrive, whatever is in flight", async () => {
  const bed = await warmBed();
  const startMs = bed.clock.now();
  const cells = [...sheet(1, 40), ...sheet(2, 40).filter(({ storeNumber }) => storeNumber === 1_001)];
  const ended = await askInBursts(bed, cells, { cells: 40, everyMs: 5 });
  expect(tally(ended)).toEqual({ value: 80 });
  expect(lastMs(ended) - startMs).toBe(5 + 12 + 80);
});

describe("cells that arrive in bursts of 500 every 5 ms", () => {
  const burst = { cells: 500, everyMs: 5 };

  it.each([
    { stores: 50, items: 700, latencyMs: 80, connections: 6, calls: 351 },
    { stores: 20, items: 700, latencyMs: 80, connections: 16, calls: 147 },
    { stores: 1_000, items: 25, latencyMs: 20, connections: 6, calls: 1_050 },
  ])(
    "$stores stores of $items items over $connections connections at $latencyMs ms: at most $calls calls",
    async ({ stores, items, calls, ...options }) => {
      const bed = await warmBed({ ...noQuota, ...options });
      const ended = await askInBursts(bed, sheet(stores, items), burst);
      expect(tally(ended)).toEqual({ value: stores * items });
      expect(bed.service.of("search").length - 1).toBeLessThanOrEqual(calls);
    },
  );

  it("2,000 stores of 25 items: 1.005 times the least calls, 1.03 times the least time, first value after one latency", async () => {
    const bed = await warmBed();
    const startMs = bed.clock.now();
    const ended = await askInBursts(bed, sheet(2_000, 25), burst);
    expect(tally(ended)).toEqual({ value: 50_000 });
    expect(bed.service.of("search").length - 1).toBeLessThanOrEqual(2_010);
    expect(lastMs(ended) - startMs).toBeLessThanOrEqual(Math.ceil(2_000 / 6) * 80 * 1.03);
    expect(Math.min(...ended.map((end) => end?.atMs ?? Infinity)) - startMs).toBe(80);
  });
});

describe("a host that hands over one cell at a time", () => {
  it("and awaits a promise between cells, still fills its calls", async () => {
    const bed = await warmBed();
    for (const query of sheet(1, 300)) {
      void bed.engine.item(query);
      await Promise.resolve();
    }
    await bed.clock.runAll();
    expect(bed.service.of("search").length - 1).toBe(3);
  });

  it("and waits a turn between cells, costs at most one call more", async () => {
    const bed = await warmBed();
    for (const query of sheet(1, 300)) {
      void bed.engine.item(query);
      await bed.clock.turns();
    }
    await bed.clock.runAll();
    expect(bed.service.of("search").length - 1).toBeLessThanOrEqual(4);
  });
});
