/** The cost of a request: the exact number of calls, and how long they will take. */
import { fc } from "../helpers/properties";
import type { HistoryQuery, ItemQuery } from "../../src/domain/records";
import { askAll, createBed, history, item, noQuota, sheet, ask } from "./bed";

const items = fc.uniqueArray(
  fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 260 }), fc.boolean()),
  { maxLength: 600, selector: String },
);
const histories = fc.uniqueArray(
  fc.tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom(undefined, "SALES", "LR")),
  { maxLength: 8, selector: String },
);

describe("the price of a refresh", () => {
  it("equals the calls then sent, when nothing fails", async () => {
    await fc.assert(
      fc.asyncProperty(items, histories, async (cells, events) => {
        fc.pre(cells.length + events.length > 0);
        const burst = 1 + (cells.length % 300);
        const bed = createBed(noQuota);
        const work = {
          items: cells.map(([store, number, isGtin]): ItemQuery => ({
            ...item(store, number),
            itemType: isGtin ? "gtin" : "wm_item_number",
          })),
          histories: events.map(([number, eventType]): HistoryQuery =>
            history(number, eventType === undefined ? {} : { eventType }),
          ),
        };
        const price = bed.engine.price(work);
        await bed.clock.until(bed.engine.refresh(work));
        for (let at = 0; at < work.items.length; at += burst) {
          bed.clock.setTimeout(() => void askAll(bed, work.items.slice(at, at + burst)), at);
        }
        for (const query of work.histories) void bed.engine.history(query);
        await bed.clock.runAll();
        expect(bed.service.of("search")).toHaveLength(price.searchCalls);
        expect(bed.service.of("events")).toHaveLength(price.eventCallsAtLeast);
      }),
      { numRuns: 60 },
    );
  });

  it("says how long 1,000 calls take, within a twentieth", async () => {
    const bed = createBed({ quota: 600 });
    await ask(bed, sheet(1, 5_000));
    await bed.clock.advance(120_000);
    const work = { items: sheet(1_000, 1), histories: [] };
    const price = bed.engine.price(work);
    const startMs = bed.clock.now();
    await bed.clock.until(bed.engine.refresh(work));
    await bed.clock.runAll();
    const lastCallMs = Math.max(...bed.service.of("search").map((call) => call.sentAtMs)) + 80;
    expect(price.durationMs / (lastCallMs - startMs)).toBeGreaterThan(0.95);
    expect(price.durationMs / (lastCallMs - startMs)).toBeLessThan(1.05);
  });

  it.each([0, 2, 5])(
    "says how long calls take after %i calls were refused, within a tenth",
    async (refused) => {
      const bed = createBed({ quota: 600 });
      bed.service.script(({ operation, number }) =>
        operation === "search" && number >= 100 && number < 100 + refused
          ? new Response("", { status: 429 })
          : undefined,
      );
      askAll(bed, sheet(130, 1));
      await bed.clock.advance(60_000);
      const work = { items: sheet(400, 2).slice(400), histories: [] };
      const price = bed.engine.price(work);
      const startMs = bed.clock.now();
      await bed.clock.until(bed.engine.refresh(work));
      await bed.clock.runAll();
      const lastCallMs = Math.max(...bed.service.of("search").map((call) => call.sentAtMs)) + 80;
      expect(price.durationMs / (lastCallMs - startMs)).toBeGreaterThan(0.9);
      expect(price.durationMs / (lastCallMs - startMs)).toBeLessThan(1.1);
    },
  );

  it("of no work is zero, connected or not", () => {
    const bed = createBed();
    const nothing = { searchCalls: 0, eventCallsAtLeast: 0, durationMs: 0 };
    expect(bed.engine.price({ items: [], histories: [] })).toEqual(nothing);
    bed.engine.connect(null);
    expect(bed.engine.price({ items: [], histories: [] })).toEqual(nothing);
  });
});
