/** Calls of several epochs in flight at once: newer values stay, and a failure removes nothing. */
import type { ItemQuery } from "../../src/domain/records";
import type { HistoryAnswer } from "../../src/engine/types";
import { inventory, offender, problem, quantityOf } from "../helpers/scripted-service";
import { askAll, type Bed, codeOfError, createBed, history, item, noQuota, warmBed } from "./bed";

const [a, b, other] = [item(1, 1), item(1, 2), item(2, 1)] as const;

function versionOf(bed: Bed, query: ItemQuery): number {
  const answer = bed.engine.cachedItem(query);
  const quantity = answer?.found ? (answer.value.locations[0]?.quantity ?? NaN) : NaN;
  return quantity - quantityOf(query.storeNumber, query.value);
}

/** A history that contains the number of the call that read it. */
const numbered = {
  history: ({ number, url }: { number: number; url: URL }) => ({
    store_nbr: 1_000,
    gtin: url.searchParams.get("gtin"),
    event_history_item_details: [
      {
        event_type: "SALES",
        event_qty: String(number),
        event_creation_time: "2026-11-19T01:00:00",
        aggregated_qty: "1",
      },
    ],
    next_page_token: null,
  }),
};

describe("a refresh that does not succeed", () => {
  it("does not settle a cell that waits for another call", async () => {
    const bed = await warmBed();
    bed.service.latencyMs = 3_000;
    const ended = askAll(bed, [a]);
    await bed.clock.advance(1_000);
    bed.service.latencyMs = 80;
    bed.service.script((call) => (call.number > 1 ? new Response("{") : undefined));
    await expect(bed.clock.until(bed.engine.refresh({ items: [a], histories: [] }))).rejects.toBeDefined();
    await bed.clock.runAll();
    expect(ended[0]).toMatchObject({ quantity: quantityOf(a.storeNumber, a.value), stale: null });
    expect(bed.engine.isFresh(a)).toBe(true);
  });
});

describe("an item in flight when a refresh starts", () => {
  it("is requested again even if its old answer arrives first and the refresh starts with a 400", async () => {
    const bed = await warmBed();
    bed.service.latencyMs = 1_000;
    askAll(bed, [a]);
    await bed.clock.advance(900);
    bed.service.version = 1;
    bed.service.latencyMs = 200;
    bed.service.script((call) =>
      call.values.includes(b.value)
        ? problem(400, "Invalid", [offender(call.values.indexOf(b.value), b.value)])
        : undefined,
    );
    await bed.clock.until(bed.engine.refresh({ items: [a, b], histories: [] }));
    await bed.clock.runAll();
    expect(versionOf(bed, a)).toBe(1);
    expect(bed.engine.isFresh(a)).toBe(true);
  });

  it("gets the refresh's value, however its own call ends", async () => {
    const bed = await warmBed();
    bed.service.script((call) => (call.number === 1 ? new Response("{") : undefined));
    bed.service.latencyMs = 3_000;
    const ended = askAll(bed, [a]);
    await bed.clock.advance(2_000);
    bed.service.latencyMs = 80;
    bed.service.version = 1;
    await bed.clock.until(bed.engine.refresh({ items: [a], histories: [] }));
    await bed.clock.runAll();
    expect(ended[0]).toMatchObject({ quantity: quantityOf(a.storeNumber, a.value, 1), rejected: null });
    expect(ended[0]?.stale).toBeNull();
  });

  it("is requested once, not twice, if its own call fails and would be retried", async () => {
    const bed = await warmBed();
    bed.service.latencyMs = 1_000;
    bed.service.script((call) => (call.number === 1 ? problem(503, "down") : undefined));
    const ended = askAll(bed, [a]);
    await bed.clock.advance(500);
    bed.service.latencyMs = 80;
    await bed.clock.until(bed.engine.refresh({ items: [other, a], histories: [] }));
    bed.service.latencyMs = 2_000;
    await bed.clock.runAll();
    expect(ended[0]).toMatchObject({ quantity: quantityOf(a.storeNumber, a.value), rejected: null });
    expect(bed.service.of("search").filter(({ store }) => store === a.storeNumber)).toHaveLength(2);
  });

  it("waits for the newer call when its own fails, and for its own when the newer does", async () => {
    for (const failing of [1, 3]) {
      const bed = await warmBed();
      bed.service.script((call) => (call.number === failing ? new Response("{") : undefined));
      bed.service.latencyMs = failing === 1 ? 2_000 : 4_000;
      const ended = askAll(bed, [a]);
      await bed.clock.advance(1_000);
      bed.service.latencyMs = 80;
      await bed.clock.until(bed.engine.refresh({ items: [other], histories: [] }));
      bed.service.latencyMs = 2_000;
      const again = bed.engine.refresh({ items: [a], histories: [] }).catch(codeOfError);
      await bed.clock.runAll();
      await again;
      expect(ended[0]).toMatchObject({ quantity: quantityOf(a.storeNumber, a.value), rejected: null });
    }
  });
});

it("does not take an answer from before a clear as fresh", async () => {
  const bed = await warmBed();
  askAll(bed, [a]);
  await bed.clock.advance(60);
  bed.engine.clear();
  await bed.clock.runAll();
  expect(bed.engine.isFresh(a)).toBe(false);
  bed.service.version = 1;
  await bed.clock.until(bed.engine.item(a));
  expect(versionOf(bed, a)).toBe(1);
});

it("an older answer that arrives after the refresh's changes nothing", async () => {
  const bed = await warmBed();
  bed.service.script((call) => inventory(call, call.number));
  bed.service.latencyMs = 4_000;
  askAll(bed, [a]);
  await bed.clock.advance(1_000);
  bed.service.latencyMs = 80;
  await bed.clock.until(bed.engine.refresh({ items: [a], histories: [] }));
  const newer = versionOf(bed, a);
  expect(bed.service.of("search").filter(({ store }) => store === a.storeNumber)).toHaveLength(2);
  await bed.clock.advance(10_000);
  expect(versionOf(bed, a)).toBe(newer);
});

describe("of two stale answers", () => {
  it("the newer is cached, in whatever order they arrive", async () => {
    for (const latenciesMs of [
      [4_000, 4_000, 60_000],
      [4_000, 3_000, 60_000],
    ]) {
      const bed = await warmBed();
      const sent: number[] = [];
      bed.service.script((call) => {
        if (call.store === a.storeNumber) sent.push(call.number);
        return inventory(call, call.number);
      });
      for (const latencyMs of latenciesMs) {
        bed.service.latencyMs = 80;
        const begun = bed.engine.refresh({ items: [other, a], histories: [] });
        await bed.clock.advance(40);
        void begun.catch(() => undefined);
        bed.service.latencyMs = latencyMs;
        await bed.clock.advance(540);
      }
      await bed.clock.advance(6_000);
      expect(versionOf(bed, a)).toBe(Math.max(...sent));
    }
  });

  it("the newer is cached, also for histories", async () => {
    const bed = createBed({ ...noQuota, ...numbered });
    const work = { items: [other], histories: [history(1)] };
    for (const latencyMs of [2_000, 2_000, 60_000]) {
      bed.service.latencyMs = 80;
      const begun = bed.engine.refresh(work);
      await bed.clock.advance(latencyMs === 2_000 && bed.service.calls.length === 0 ? 120 : 40);
      void begun.catch(() => undefined);
      bed.service.latencyMs = latencyMs;
      await bed.clock.advance(140);
    }
    await bed.clock.advance(5_000);
    const known = bed.engine.cachedHistory(history(1));
    expect(known?.found === true && known.value[0]?.quantity).toBe(2);
  });

  it("of one event type and of the whole history, the newer is shown", async () => {
    const bed = await warmBed({ ...noQuota, ...numbered });
    const sales = history(1, { eventType: "SALES" });
    const quantity = async (asked: Promise<HistoryAnswer>) => {
      const answer = await bed.clock.until(asked);
      return answer.found ? answer.value[0]?.quantity : null;
    };
    bed.service.latencyMs = 4_000;
    const early = bed.engine.history(sales);
    await bed.clock.advance(1_000);
    bed.service.latencyMs = 80;
    expect(await quantity(bed.engine.history(history(1)))).toBe(1);
    expect(await quantity(bed.engine.history(sales))).toBe(1);
    expect(await quantity(early)).toBe(1);
  });
});
