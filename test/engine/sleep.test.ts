/** A computer that sleeps for an hour while calls are in flight: no old answer shows as new, and no cell loses its value. */
import { gateway } from "../helpers/scripted-service";
import { ask, askAll, type Bed, item, sheet, tally, warmBed } from "./bed";

const hourMs = 3_600_000;
const sleeps: [string, (bed: Bed) => void][] = [
  ["during which the steady clock runs", ({ clock }) => clock.sleep(hourMs)],
  ["during which the steady clock stops", ({ clock }) => clock.setSystem(hourMs)],
];

describe.each(sleeps)("after a sleep of an hour, %s", (_title, sleep) => {
  it("an item whose answer was in flight is requested again", async () => {
    const bed = await warmBed();
    askAll(bed, [item(1, 1)]);
    await bed.clock.advance(60);
    bed.service.version = 1;
    sleep(bed);
    await bed.clock.runAll();
    const answer = bed.engine.cachedItem(item(1, 1));
    const before = bed.service.of("search").filter(({ store }) => store === item(1, 1).storeNumber);
    expect(before).toHaveLength(2);
    expect(answer?.fetchedAtMs).toBe(bed.clock.now());
  });

  it("a token that was in flight is requested again", async () => {
    const bed = await warmBed();
    bed.service.script(({ operation, token }) =>
      operation === "search" && (token === "token-1" || token === "token-2")
        ? gateway(401, "expired")
        : undefined,
    );
    const ended = askAll(bed, sheet(6, 1));
    await bed.clock.advance(80 + 60);
    expect(bed.service.of("token")).toHaveLength(2);
    sleep(bed);
    await bed.clock.runAll();
    expect(tally(ended)).toEqual({ value: 6 });
    expect(bed.engine.progress().faults).toEqual([]);
  });

  it("every cell gets its value, although the first requests after it fail", async () => {
    const bed = await warmBed();
    // The calls 1 to 6 are in flight during the sleep.
    bed.service.script(() => "hang");
    const ended = askAll(bed, sheet(100, 1));
    await bed.clock.advance(3_000);
    sleep(bed);
    const wokeAtMs = bed.clock.now();
    bed.service.script(({ operation, number }) => {
      const isOffline = bed.clock.now() < wokeAtMs + 3_000;
      return (operation === "search" ? number === 7 : isOffline) ? "reset" : undefined;
    });
    await bed.clock.runAll();
    expect(tally(ended)).toEqual({ value: 100 });
    expect(tally(await ask(bed, sheet(100, 2)))).toEqual({ value: 200 });
  });
});
