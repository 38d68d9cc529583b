/** Sums of events on the real engine: an item without such events takes two calls, and a cancel between them ends the sum. */
import { eventQuantity } from "../../src/functions/catalogue/events";
import { startFunctions } from "../../src/functions/context";
import { createBed, noQuota } from "../engine/bed";
import { problem } from "../helpers/scripted-service";
import { contextOn, shownBy, withHost } from "./fakes";

withHost();

const gtinOf = (number: number): string => String(number).padStart(14, "0");

/** No item has returns: the filter's answer is a 404, and the whole history contains other events. */
function createSumBed() {
  const bed = createBed({ ...noQuota, settings: { freshnessMs: 60_000 } });
  const context = { ...contextOn(bed.clock), engine: bed.engine };
  bed.service.script(({ operation, url }) =>
    operation === "events" && url.searchParams.get("event_type") === "RETURNS"
      ? problem(404, "Data not found. At least one of the given request parameters is invalid.")
      : undefined,
  );
  startFunctions(context);
  const calculate = (count: number): Promise<unknown>[] =>
    Array.from({ length: count }, (_, row) => {
      const invocation = { functionName: "EVENTQTY", address: `Plan!C${row + 1}` };
      const type = [["RETURNS"]];
      return shownBy(
        eventQuantity([[1_000]], [[gtinOf(row + 1)]], type, undefined, undefined, undefined, invocation),
      );
    });
  return { ...bed, cells: context.cells, calculate };
}

test.each([1, 6, 40])("after a cancel %i sums end and send nothing more", async (count) => {
  const bed = createSumBed();
  const first = bed.calculate(count);
  // The filters are answered, and the whole histories are requested.
  await bed.clock.advance(200);
  bed.engine.cancel();
  await bed.clock.until(Promise.all(first));
  await bed.clock.advance(61_000);
  const again = bed.calculate(count);
  await bed.clock.advance(40);
  bed.engine.cancel();
  const sent = bed.service.of("events").length;
  await bed.clock.turns();
  expect(bed.cells.summary()).toMatchObject({ waiting: 0, latestUnanswered: count });
  await bed.clock.runAll();
  expect(bed.service.of("events").length).toBe(sent);
  for (const shown of await Promise.all(again)) {
    expect(shown).toMatch(/^#(N\/A Data not found|VALUE! Cancelled)/);
  }
});

test("one that had its sum shows that, stale", async () => {
  const bed = createSumBed();
  expect(await bed.clock.until(Promise.all(bed.calculate(2)))).toEqual([0, 0]);
  await bed.clock.advance(61_000);
  const again = bed.calculate(2);
  await bed.clock.advance(40);
  bed.engine.cancel();
  expect(await bed.clock.until(Promise.all(again))).toEqual([0, 0]);
  expect(bed.cells.summary()).toMatchObject({ latestUnanswered: 2 });
});

test.each([1, 40, 2_100])(
  "%i sums whose filters are cached don't ask for whole histories after a cancel",
  async (count) => {
    const bed = createSumBed();
    // Caches only the filters' negative answers: INV.EVENTS of one type doesn't request the whole history.
    const filters = Array.from({ length: count }, (_, row) => ({
      storeNumber: 1_000,
      gtin: gtinOf(row + 1),
      eventType: "RETURNS",
    }));
    await bed.clock.until(Promise.all(filters.map((query) => bed.engine.history(query))));
    const sent = bed.service.of("events").length;
    const shown = bed.calculate(count);
    bed.engine.cancel();
    await bed.clock.runAll();
    expect(bed.service.of("events").length).toBe(sent);
    for (const text of await Promise.all(shown)) expect(text).toMatch(/^#VALUE!/);
  },
);
