/** A service that fails, hangs, dies and recovers: every request ends, and retries don't increase the load. */
import { problem } from "../helpers/scripted-service";
import {
  askAll,
  createBed,
  history,
  item,
  lastMs,
  noQuota,
  sheet,
  tally,
  ask,
  warmBed,
  outcomes,
} from "./bed";

const down = () => problem(503, "One or more services are unavailable");

describe("a call that fails", () => {
  it.each([
    ["with 500", () => problem(500, "unavailable")],
    ["by a broken connection", () => "reset" as const],
    ["by silence", () => "hang" as const],
  ])("%s is retried, and its cells get their values", async (_, fault) => {
    const bed = await warmBed();
    bed.service.script((call) => (call.number === 1 ? fault() : undefined));
    expect(await outcomes(bed, sheet(1, 100))).toEqual({ value: 100 });
    expect(bed.service.of("search")).toHaveLength(3);
  });

  it("among others that succeed costs the others nothing", async () => {
    const bed = await warmBed();
    bed.service.script((call) => (call.store === 1_003 ? down() : undefined));
    expect(await outcomes(bed, sheet(60, 5))).toEqual({ value: 295, "service-down": 5 });
    expect(bed.service.of("search").filter((call) => call.store === 1_003)).toHaveLength(4);
  });

  it("each time ends with a reason, although other calls of its store succeed", async () => {
    const bed = await warmBed();
    const poison = item(0, 150).value;
    bed.service.script((call) => (call.values.includes(poison) ? down() : undefined));
    expect(await outcomes(bed, sheet(1, 400))).toEqual({ value: 300, "service-down": 100 });
  });
});

describe("a service that fails every other call", () => {
  it("is retried only as often as the shared allowance permits", async () => {
    const bed = await warmBed();
    bed.service.script((call) => (call.operation === "search" && call.number % 2 === 1 ? down() : undefined));
    const ended = await ask(bed, sheet(600, 1));
    const { value = 0, "service-down": failed = 0 } = tally(ended);
    expect(value + failed).toBe(600);
    expect(value).toBeGreaterThan(350);
    expect(bed.service.of("search").length - 1 - 600).toBeLessThanOrEqual(50 + value / 4);
  });
});

describe("a service that is down", () => {
  it("gives every cell a reason within seconds, for about ten calls", async () => {
    const bed = await warmBed();
    const startMs = bed.clock.now();
    bed.service.script(down);
    const ended = await ask(bed, sheet(500, 10));
    expect(tally(ended)).toEqual({ "service-down": 5_000 });
    expect(bed.service.of("search").length - 1).toBeLessThanOrEqual(12);
    expect(lastMs(ended) - startMs).toBeLessThan(10_000);
  });

  it("gives every cell a reason within about half a minute if it hangs", async () => {
    const bed = await warmBed();
    const startMs = bed.clock.now();
    bed.service.script(() => "hang");
    const ended = await ask(bed, sheet(500, 10));
    expect(tally(ended)).toEqual({ timeout: 5_000 });
    expect(lastMs(ended) - startMs).toBeLessThan(35_000);
    expect(bed.service.of("search").length - 1).toBeLessThanOrEqual(12);
  });

  it("receives one call when a cell asks again, and answers as soon as it recovers", async () => {
    const bed = await warmBed();
    bed.service.script(down);
    await ask(bed, sheet(100, 1));
    const before = bed.service.of("search").length;
    expect(await outcomes(bed, sheet(100, 1))).toEqual({ "service-down": 100 });
    expect(bed.service.of("search").length).toBe(before + 1);

    bed.service.script(() => undefined);
    expect(await outcomes(bed, sheet(100, 1))).toEqual({ value: 100 });
  });

  it("is retried, and is not in an outage, if the quota delays the next attempts by a minute each", async () => {
    const bed = await warmBed({ quota: 1 });
    bed.service.script(({ number }) => (number === 1 || number === 2 ? down() : undefined));
    expect(await outcomes(bed, sheet(3, 1))).toEqual({ value: 3 });
  });

  it("for two seconds costs no cell its value", async () => {
    const bed = await warmBed();
    const fromMs = bed.clock.now() + 200;
    bed.service.script(() => {
      const atMs = bed.clock.now() - fromMs;
      return atMs >= 0 && atMs < 2_000 ? down() : undefined;
    });
    expect(await outcomes(bed, sheet(100, 1))).toEqual({ value: 100 });
  });

  it("for the inventory, still serves histories", async () => {
    const bed = await warmBed();
    bed.service.script((call) => (call.operation === "search" ? down() : undefined));
    const ended = askAll(bed, sheet(20, 1));
    const events = bed.engine.history(history(1));
    await bed.clock.runAll();
    expect((await events).found).toBe(true);
    expect(tally(ended)).toEqual({ "service-down": 20 });
  });

  it("shows last known values as stale, or the reason if the setting says so", async () => {
    const bed = createBed({ ...noQuota, settings: { freshnessMs: 60_000 } });
    const first = await ask(bed, sheet(2, 3));
    const fetchedAtMs = first[0]?.atMs;
    await bed.clock.advance(120_000);
    bed.service.script(down);
    const kept = await ask(bed, sheet(2, 4));
    expect(kept.filter((end) => end?.stale?.code === "service-down" && end.quantity !== null)).toHaveLength(
      6,
    );
    expect(tally(kept)).toEqual({ value: 6, "service-down": 2 });
    expect(bed.engine.cachedItem(item(0, 1))).toMatchObject({ fetchedAtMs });

    bed.engine.configure({ whenUnanswered: "error" });
    expect(await outcomes(bed, sheet(2, 4))).toEqual({ "service-down": 8 });

    bed.service.script(() => undefined);
    const again = await ask(bed, sheet(2, 4));
    expect(again.every((end) => end?.stale === null)).toBe(true);
  });
});

describe("a wrong address", () => {
  const page = () =>
    new Response("<html>Not here</html>", { status: 404, headers: { "content-type": "text/html" } });

  it("of a single call does not stop the operation", async () => {
    const bed = createBed(noQuota);
    await ask(bed, sheet(1, 1));
    bed.service.script((call) => (call.store === item(1, 1).storeNumber ? page() : undefined));
    expect(tally(await ask(bed, [item(1, 1)]))).toEqual({ "wrong-address": 1 });
    expect(bed.engine.progress().faults).toEqual([]);
    expect(tally(await ask(bed, [item(2, 1)]))).toEqual({ value: 1 });
  });

  it("as the first of several responses does not stop the operation", async () => {
    const bed = createBed(noQuota);
    bed.service.script((call) => (call.store === item(0, 1).storeNumber ? page() : undefined));
    expect(await outcomes(bed, sheet(3, 1))).toEqual({ "wrong-address": 1, value: 2 });
    expect(bed.engine.progress().faults).toEqual([]);
    bed.service.script(() => undefined);
    expect(await outcomes(bed, sheet(4, 1))).toEqual({ value: 4 });
  });
});
