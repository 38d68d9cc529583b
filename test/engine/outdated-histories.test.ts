/** Histories that become outdated or fresh without their own answer: by a refresh that did not end, or by a setting. */
import { problem } from "../helpers/scripted-service";
import { type Bed, createBed, history, noQuota, typesIn } from "./bed";

describe("single event types whose refresh did not finish", () => {
  const sales = (number: number) => history(number, { eventType: "SALES" });
  const receipts = (number: number) => history(number, { eventType: "LR" });
  const work = { items: [], histories: [sales(1), sales(2), receipts(2)] };

  /** Caches the whole histories and answers the first call of a refresh of single types. */
  async function refreshing(fails: (bed: Bed) => void): Promise<Bed> {
    const bed = createBed(noQuota);
    await bed.clock.until(Promise.all([1, 2].map((number) => bed.engine.history(history(number)))));
    bed.service.script((call) => (call.number > 2 && call.operation === "events" ? "hang" : undefined));
    await bed.clock.until(bed.engine.refresh(work));
    const before = bed.service.of("events").length;
    const cells = [sales(2), receipts(2)].map((query) => bed.engine.history(query));
    await bed.clock.advance(1_000);
    expect(bed.service.of("events").length).toBeGreaterThan(before - 1);
    fails(bed);
    const shown = await bed.clock.until(Promise.all(cells));
    expect(shown.map(typesIn)).toEqual([["SALES", "SALES"], ["LR"]]);
    expect(shown.every(({ staleBecause }) => staleBecause !== undefined)).toBe(true);
    bed.service.script(() => undefined);
    return bed;
  }

  it.each<[string, (bed: Bed) => void]>([
    ["was cancelled", (bed) => bed.engine.cancel()],
    ["failed", (bed) => bed.service.script(() => problem(500, "down"))],
    [
      "was cut off by going offline",
      (bed) => {
        bed.engine.configure({ offline: true });
        bed.engine.configure({ offline: false });
      },
    ],
  ])("and %s are stale, and are requested again", async (_, fails) => {
    const bed = await refreshing(fails);
    expect(work.histories.map(bed.engine.isFresh)).toEqual([true, false, false]);
    const before = bed.service.of("events").length;
    const again = await bed.clock.until(bed.engine.history(sales(2)));
    expect(again.staleBecause).toBeUndefined();
    expect(bed.service.of("events").length).toBe(before + 1);
    expect(bed.engine.isFresh(sales(2))).toBe(true);
  });

  it("are not kept after the whole history was cleared", async () => {
    const bed = await refreshing((each) => each.engine.cancel());
    bed.engine.clear();
    expect([history(2), ...work.histories].map(bed.engine.cachedHistory)).toEqual(Array(4).fill(undefined));
    await bed.clock.until(bed.engine.history(history(2)));
    expect(bed.engine.isFresh(sales(2))).toBe(true);
  });
});
