/** The cache of histories, measured in events: it contains nothing twice, and nothing that is no longer useful. */
import { createBed, history, noQuota, typesIn } from "./bed";

const sale = {
  event_type: "SALES",
  event_qty: "1",
  event_creation_time: "2026-11-19T10:00:00",
  aggregated_qty: "5",
};
const isWhole = ({ url }: { readonly url: URL }): boolean => !url.searchParams.has("event_type");

describe("the cache of histories", () => {
  /** Responses with this many events. The cache keeps 200,000 events. */
  const bodies = new Map<number, string>();
  const events = (count: number): Response => {
    const list = bodies.get(count) ?? JSON.stringify(Array<unknown>(count).fill(sale));
    bodies.set(count, list);
    return new Response(`{"event_history_item_details":${list}}`);
  };
  const sales = { eventType: "SALES" };

  it("holds nothing of a type whose newer events came with the whole history", async () => {
    const bed = createBed({
      ...noQuota,
      maxAnswerBytes: 50_000_000,
      history: (call) => events(call.number === 0 ? 1 : isWhole(call) ? 45_000 : 110_000),
    });
    const get = (number: number, more = {}) => bed.clock.until(bed.engine.history(history(number, more)));
    await get(1);
    await get(2, sales);
    await get(2);
    // From here on, the cached answer for the type alone is useless.
    expect(typesIn(await get(2, sales))).toHaveLength(45_000);
    await get(3);
    await get(4);
    expect(bed.engine.cachedHistory(history(1))).toBeDefined();
  });

  it("holds a type that was asked for together with the whole history once, with the whole", async () => {
    const bed = createBed({
      ...noQuota,
      maxAnswerBytes: 50_000_000,
      history: (call) => events(call.number === 0 ? 1 : 110_000),
    });
    await bed.clock.until(bed.engine.history(history(1)));
    const both = [bed.engine.history(history(2)), bed.engine.history(history(2, sales))];
    const [whole, part] = await bed.clock.until(Promise.all(both));
    expect([whole, part].map((answer) => typesIn(answer!).length)).toEqual([110_000, 110_000]);
    expect(bed.engine.cachedHistory(history(1))).toBeDefined();
  });
});
