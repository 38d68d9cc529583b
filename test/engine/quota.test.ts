/** The quota: the engine never causes a refusal itself, loses hardly any time, and shares the quota with colleagues. */
import { createEngine } from "../../src/engine/engine";
import type { Progress } from "../../src/engine/types";
import { type LoggedCall } from "../helpers/scripted-service";
import { askAll, createBed, item, lastMs, sheet, tally, ask, warmBed, outcomes } from "./bed";

it("sends on all connections again after the single call that follows a 429", async () => {
  const bed = await warmBed();
  bed.service.script(({ number }) =>
    number >= 1 && number <= 6
      ? new Response("", { status: 429, headers: { "retry-after": "5" } })
      : undefined,
  );
  const startMs = bed.clock.now();
  expect(tally(await ask(bed, sheet(60, 1)))).toEqual({ value: 60 });
  const later = bed.service.of("search").filter(({ sentAtMs }) => sentAtMs - startMs >= 5_000);
  const atOnce = later.map(({ sentAtMs }) => later.filter((other) => other.sentAtMs === sentAtMs).length);
  expect(atOnce[0]).toBe(1);
  expect(Math.max(...atOnce)).toBe(6);
});

describe("a sheet larger than the quota", () => {
  it("takes hardly longer than the quota allows, without one refusal", async () => {
    const bed = createBed({ quota: 600 });
    const startMs = bed.clock.now();
    const ended = await ask(bed, sheet(1_500, 1));
    expect(tally(ended)).toEqual({ value: 1_500 });
    expect(bed.service.refusals).toBe(0);
    const leastMs = 2 * 60_000 + Math.ceil(300 / 6) * 80;
    expect(lastMs(ended) - startMs).toBeLessThanOrEqual(leastMs * 1.01);
  });

  it("is not refused when answers take their time", async () => {
    const bed = createBed({ quota: 100, latencyMs: 2_000 });
    expect(await outcomes(bed, sheet(350, 1))).toEqual({ value: 350 });
    expect(bed.service.refusals).toBe(0);
  });

  it("reports its use and when sending resumes", async () => {
    const bed = await warmBed({ quota: 100 });
    const startMs = bed.clock.now();
    askAll(bed, sheet(200, 1));
    await bed.clock.advance(10_000);
    const { search } = bed.engine.progress().quota;
    expect(search).toMatchObject({ used: 90, limit: 100 });
    expect((search.resumesAtMs ?? 0) - startMs).toBeGreaterThan(58_000);
    expect((search.resumesAtMs ?? 0) - startMs).toBeLessThan(61_000);
    await bed.clock.advance((search.resumesAtMs ?? 0) - bed.clock.now() + 2_000);
    expect(bed.service.of("search").length).toBeGreaterThan(91);
  });

  it("still counts the calls that were sent with an earlier secret", async () => {
    const bed = createBed({ quota: 100 });
    askAll(bed, sheet(90, 1));
    await bed.clock.advance(5_000);
    const { environment } = bed.service.connection;
    bed.engine.connect({ environment, credentials: { consumerId: "demo-consumer", clientSecret: "new" } });
    askAll(bed, sheet(90, 1));
    await bed.clock.advance(5_000);
    expect(bed.service.of("search")).toHaveLength(90);
    await bed.clock.runAll();
    expect(bed.service.refusals).toBe(0);
  });

  it("of events is separate", async () => {
    const bed = await warmBed({ quota: 50 });
    askAll(bed, sheet(200, 1));
    await bed.clock.advance(10_000);
    let answered = false;
    void bed.engine.history({ storeNumber: 1_000, gtin: item(0, 1).value }).then(() => (answered = true));
    await bed.clock.advance(200);
    expect(answered).toBe(true);
  });
});

describe("a page that is loaded again", () => {
  /** Two engines, one after the other, of one page with one storage. */
  async function reload(kept: Map<string, string>, betweenMs: number, setSystemMs = 0) {
    const callMemory = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
    };
    const bed = createBed({ quota: 6, callMemory });
    askAll(bed, sheet(10, 1));
    await bed.clock.advance(betweenMs);
    bed.engine.cancel();
    bed.clock.setSystem(setSystemMs);
    const engine = createEngine({ clock: bed.clock, transport: bed.service.transport, callMemory });
    engine.connect(bed.service.connection);
    const again = { ...bed, engine };
    const startMs = bed.clock.now();
    const ended = askAll(again, sheet(9, 1));
    await bed.clock.advance(20_000);
    const soon = bed.service.of("search").length;
    await bed.clock.runAll();
    expect(lastMs(ended) - startMs).toBeLessThan(200_000);
    expect(tally(ended)).toEqual({ value: 9 });
    return { soon, refusals: bed.service.refusals };
  }

  it.each([
    ["still counts its calls", 10_000, 0],
    ["counts those in flight too", 130, 0],
    ["waits a minute at most after the system clock was set back", 10_000, -3_600_000],
  ])("%s", async (_, betweenMs, setSystemMs) => {
    expect(await reload(new Map(), betweenMs, setSystemMs)).toEqual({ soon: 6, refusals: 0 });
  });

  it("starts with an empty window if it kept something else", async () => {
    const kept = new Map([["inv.calls demo search", '[true, "x"']]);
    expect((await reload(kept, 10_000)).refusals).toBe(0);
  });
});

describe("a change of the system clock", () => {
  it("forward keeps the calls of the last minute", async () => {
    const bed = createBed({ quota: 50 });
    const ended = askAll(bed, sheet(90, 1));
    await bed.clock.advance(5_000);
    bed.clock.setSystem(120_000);
    const later = await ask(bed, [item(1, 2)]);
    expect(tally([...ended, ...later])).toEqual({ value: 91 });
    expect(bed.service.refusals).toBe(0);
  });

  it("back stops sending for at most one window", async () => {
    const bed = createBed({ quota: 50 });
    askAll(bed, sheet(45, 1));
    await bed.clock.advance(70_000);
    bed.clock.setSystem(-3_600_000);
    const ended = askAll(bed, sheet(45, 2).slice(45));
    await bed.clock.advance(70_000);
    expect(tally(ended)).toEqual({ value: 45 });
    expect(bed.service.refusals).toBe(0);
  });

  it.each<[string, LoggedCall["operation"], number]>([
    ["a refusal of the search", "search", 429],
    ["a failure of the search", "search", 500],
    ["a refusal of the token", "token", 429],
    ["a failure of the token", "token", 500],
  ])("back during the pause after %s does not extend the pause", async (_, operation, status) => {
    const bed = createBed();
    bed.service.script((call) =>
      call.operation === operation && call.number <= 1 ? new Response("", { status }) : undefined,
    );
    const told: Progress[] = [];
    bed.engine.subscribe((progress) => told.push(progress));
    const ended = askAll(bed, sheet(1, 3));
    await bed.clock.advance(400);
    bed.clock.setSystem(-3_600_000);
    await bed.clock.advance(10_000);
    expect(tally(ended)).toEqual({ value: 3 });
    expect(bed.service.of(operation)).toHaveLength(3);
    expect(told.at(-1)?.cells.done).toBe(3);
  });
});

describe("429s", () => {
  it("of six calls in flight together lower the pace once", async () => {
    const bed = await warmBed({ quota: 100 });
    bed.service.script(({ operation, number }) =>
      operation === "search" && number >= 60 && number < 66 ? new Response("", { status: 429 }) : undefined,
    );
    const startMs = bed.clock.now();
    expect(await outcomes(bed, sheet(300, 1))).toEqual({ value: 300 });
    const inSecondMinute = bed.service
      .of("search")
      .filter(({ sentAtMs }) => sentAtMs >= startMs + 60_000 && sentAtMs < startMs + 120_000);
    // Four fifths of what was sent before the refusal, plus what the rate has recovered since.
    expect(inSecondMinute.length).toBeGreaterThan(50);
  });

  it("lose no cell in a storm, and do not flood the service", async () => {
    const bed = createBed({ quota: 600 });
    const untilMs = bed.clock.now() + 30_000;
    bed.service.script((call) =>
      call.operation === "search" && bed.clock.now() < untilMs
        ? new Response("", { status: 429 })
        : undefined,
    );
    const ended = askAll(bed, sheet(50, 100));
    await bed.clock.advance(30_000);
    expect(bed.service.of("search").length).toBeLessThan(20);
    await bed.clock.runAll();
    expect(tally(ended)).toEqual({ value: 5_000 });
  });

  it("wait as long as Retry-After says", async () => {
    const bed = await warmBed({ quota: 600 });
    let refusedAtMs = 0;
    bed.service.script(() => {
      if (refusedAtMs > 0) return undefined;
      refusedAtMs = bed.clock.now();
      return new Response("", { status: 429, headers: { "retry-after": "20" } });
    });
    const ended = await ask(bed, [item(1, 1)]);
    expect((ended[0]?.atMs ?? 0) - refusedAtMs).toBeGreaterThanOrEqual(20_000);
    expect((ended[0]?.atMs ?? 0) - refusedAtMs).toBeLessThan(20_500);
  });

  it("of a small quota leave no cell waiting", async () => {
    for (const quota of [1, 2, 3, 5, 10]) {
      const bed = createBed({ quota });
      bed.service.script(({ operation, number }) =>
        operation === "search" && number < 3 ? new Response("", { status: 429 }) : undefined,
      );
      expect({ quota, ...(await outcomes(bed, sheet(6, 1))) }).toEqual({ quota, value: 6 });
    }
  });

  it("stall a sheet only until the pace recovers, and report when sending resumes", async () => {
    const bed = createBed({ quota: 600 });
    bed.service.script(({ operation, number }) =>
      operation === "search" && number === 100 ? new Response("", { status: 429 }) : undefined,
    );
    const startMs = bed.clock.now();
    const ended = askAll(bed, sheet(300, 1));
    let told: number | null = null;
    const silences: number[] = [];
    bed.engine.subscribe(({ quota }) => (told ??= quota.search.resumesAtMs));
    await bed.clock.runAll();
    const sentMs = bed.service.of("search").map(({ sentAtMs }) => sentAtMs);
    sentMs.slice(1).forEach((sent, index) => silences.push(sent - (sentMs[index] ?? 0)));
    expect(tally(ended)).toEqual({ value: 300 });
    expect(Math.max(...silences)).toBeLessThan(25_000);
    expect(lastMs(ended) - startMs).toBeLessThan(100_000);
    expect(sentMs.some((sent) => Math.abs(sent - (told ?? 0)) < 1_000)).toBe(true);
  });

  it("that always have Retry-After 0 do not cause a tight loop", async () => {
    const bed = await warmBed({ quota: 600 });
    const before = bed.service.of("search").length;
    bed.service.script(() => new Response("", { status: 429, headers: { "retry-after": "0" } }));
    askAll(bed, sheet(10, 1));
    await bed.clock.advance(60_000);
    expect(bed.service.of("search").length - before).toBeLessThan(15);
    bed.engine.cancel();
  });

  it("of colleagues on the same quota slow both down, and both get all their values", async () => {
    const bed = createBed({ quota: 100 });
    const colleague = createEngine({ clock: bed.clock, transport: bed.service.transport });
    colleague.connect(bed.service.connection);
    const mine = askAll(bed, sheet(150, 1));
    const theirs = await ask({ ...bed, engine: colleague }, sheet(150, 2).slice(150));
    expect(tally(mine)).toEqual({ value: 150 });
    expect(tally(theirs)).toEqual({ value: 150 });
    expect(bed.service.refusals).toBeLessThan(40);
  });
});
