/** Changing the connection, cancelling, and progress: no answer reaches another connection, nothing hangs, and everything is reported. */
import type { Progress } from "../../src/engine/types";
import { createScriptedService } from "../helpers/scripted-service";
import { createEngine } from "../../src/engine/engine";
import {
  codeOfError,
  askAll,
  createBed,
  history,
  item,
  noQuota,
  sheet,
  tally,
  ask,
  warmBed,
  outcomes,
} from "./bed";

describe("a change of the environment or the credentials", () => {
  it("settles waiting cells, and no old answer reaches the new environment", async () => {
    const bed = await warmBed();
    const other = createScriptedService({ clock: bed.clock, environmentId: "sandbox", quota: 1_000 });
    other.version = 1_000_000;
    const engine = createEngine({
      clock: bed.clock,
      transport: (request) => (request.url.includes("sandbox") ? other : bed.service).transport(request),
    });
    engine.connect(bed.service.connection);
    const old = askAll({ ...bed, engine }, sheet(40, 2));
    const oldHistory = engine.history(history(1)).catch(codeOfError);
    await bed.clock.advance(200);
    const cameMs = bed.clock.now();
    engine.connect(other.connection);
    const fresh = await ask({ ...bed, engine }, sheet(40, 2));
    expect(tally(old)).toMatchObject({
      cancelled: 80 - old.filter((end) => typeof end?.quantity === "number").length,
    });
    expect(old.every((end) => end !== undefined && end.atMs <= cameMs)).toBe(true);
    expect(["cancelled", "object"]).toContain(
      typeof (await oldHistory) === "string" ? await oldHistory : "object",
    );
    expect(tally(fresh)).toEqual({ value: 80 });
    expect(fresh.every((end) => (end?.quantity ?? 0) >= 1_000_000)).toBe(true);
    expect(sheet(40, 2).every((query) => engine.isFresh(query))).toBe(true);
  });

  it("shows no last known value of the previous environment", async () => {
    const bed = createBed(noQuota);
    await ask(bed, sheet(2, 2));
    bed.engine.connect(bed.service.connection);
    bed.service.script(() => "reset");
    expect(await outcomes(bed, sheet(2, 2))).toEqual({ unreachable: 4 });
    expect(bed.engine.cachedItem(item(0, 1))).toBeUndefined();
  });

  it.each([
    ["no connection", null],
    ["a connection without credentials", "bare"],
  ])("with %s, every request fails at once", async (_, kind) => {
    const bed = createBed();
    bed.engine.connect(
      kind === null ? null : { environment: bed.service.connection.environment, credentials: null },
    );
    const ended = askAll(bed, sheet(2, 2));
    await expect(bed.engine.history(history(1))).rejects.toMatchObject({ code: "not-connected" });
    await expect(bed.engine.refresh({ items: [], histories: [] })).rejects.toMatchObject({
      code: "not-connected",
    });
    await bed.clock.runAll();
    expect(tally(ended)).toEqual({ "not-connected": 4 });
    expect(bed.service.calls).toEqual([]);
  });

  it("ends a refresh that waits for its token", async () => {
    const bed = createBed(noQuota);
    bed.service.script((call) => (call.operation === "token" ? "hang" : undefined));
    const ended = bed.engine.refresh({ items: [item(1, 1)], histories: [] }).catch(codeOfError);
    await bed.clock.advance(100);
    bed.engine.connect(null);
    expect(await ended).toBe("cancelled");
  });
});

describe("cancelling", () => {
  it("settles 10,000 waiting cells within 100 ms and aborts the calls in flight", async () => {
    const bed = await warmBed();
    const ended = askAll(bed, sheet(100, 100));
    void bed.engine.history(history(1)).catch(() => undefined);
    await bed.clock.advance(170);
    const atMs = bed.clock.now();
    bed.engine.cancel();
    await bed.clock.advance(100);
    expect(ended.every((end) => end !== undefined && end.atMs <= atMs + 100)).toBe(true);
    expect(tally(ended)).toEqual({ value: 1_100, cancelled: 8_900 });
    expect(bed.service.inFlight).toBe(0);
    const sent = bed.service.calls.length;
    await bed.clock.runAll();
    expect(bed.service.calls).toHaveLength(sent);
    await bed.clock.advance(61_000);
    expect(bed.engine.progress().quota).toMatchObject({ search: { used: 0 }, events: { used: 0 } });
  });

  it("is harmless if nothing waits, and the next cells are answered", async () => {
    const bed = createBed(noQuota);
    bed.engine.cancel();
    const ended = askAll(bed, sheet(1, 3));
    bed.engine.cancel();
    const again = await ask(bed, sheet(1, 3));
    expect(tally(ended)).toEqual({ cancelled: 3 });
    expect(tally(again)).toEqual({ value: 3 });
  });
});

describe("freshness", () => {
  it("recalculates fresh cells without a call, and counts the saved requests", async () => {
    const bed = createBed({ ...noQuota, settings: { freshnessMs: 60_000 } });
    await ask(bed, sheet(5, 200));
    const calls = bed.service.calls.length;
    await bed.clock.advance(30_000);
    expect(await outcomes(bed, sheet(5, 200))).toEqual({ value: 1_000 });
    expect(bed.service.calls).toHaveLength(calls);
    expect(bed.engine.progress().calls).toEqual({ sent: 0, savedRequests: 1_000 });
    await bed.clock.advance(31_000);
    expect(bed.engine.isFresh(item(0, 1))).toBe(false);
    await ask(bed, sheet(5, 200));
    expect(bed.service.calls.length).toBe(calls + 10);
  });
});

describe("progress", () => {
  it("counts cells and calls, and reports ten times a second and once at the end", async () => {
    const bed = await warmBed();
    await bed.clock.advance(5_000);
    const told: Progress[] = [];
    const stop = bed.engine.subscribe((progress) => told.push(progress));
    const startMs = bed.clock.now();
    await ask(bed, [...sheet(60, 100), item(0, 1), item(0, 1)]);
    const seconds = (bed.clock.now() - startMs) / 1_000;
    expect(told.length).toBeGreaterThan(3);
    expect(told.length).toBeLessThanOrEqual(seconds * 10 + 2);
    for (const { cells } of told) {
      expect(cells.waiting + cells.inFlight + cells.done + cells.failed).toBe(cells.requested);
    }
    const middle = told[Math.floor(told.length / 2)];
    expect(middle?.busy).toBe(true);
    expect(middle?.remainingMs).toBeGreaterThan(0);
    expect(told[told.length - 1]).toMatchObject({
      busy: false,
      cells: { requested: 6_002, waiting: 0, inFlight: 0, done: 6_002, failed: 0 },
      calls: { sent: 60, savedRequests: 2 },
      remainingMs: 0,
    });
    stop();
    askAll(bed, [item(70, 1)]);
    const before = told.length;
    await bed.clock.runAll();
    expect(told).toHaveLength(before);
  });

  it("resets the counts after the engine was idle", async () => {
    const bed = createBed(noQuota);
    await ask(bed, sheet(1, 10));
    await bed.clock.advance(5_000);
    askAll(bed, sheet(2, 1));
    expect(bed.engine.progress().cells).toMatchObject({ requested: 2 });
  });

  it("keeps the counts until other work begins", async () => {
    const bed = createBed(noQuota);
    await ask(bed, sheet(1, 10));
    await bed.clock.advance(60_000);
    expect(bed.engine.progress().cells).toMatchObject({ requested: 10, done: 10 });
  });

  it("counts work together with the work that ended just before, however long its call takes", async () => {
    const bed = createBed(noQuota);
    await ask(bed, sheet(1, 10));
    await bed.clock.advance(500);
    bed.service.latencyMs = 8_000;
    askAll(
      bed,
      sheet(1, 10).map((query) => ({ ...query, storeNumber: 77 })),
    );
    await bed.clock.advance(6_000);
    expect(bed.engine.progress().cells).toMatchObject({ requested: 20, done: 10 });
  });

  it("keeps counting while a call is in flight, however long it takes", async () => {
    const bed = await warmBed();
    await bed.clock.advance(5_000);
    bed.service.latencyMs = 8_000;
    const ended = askAll(bed, sheet(1, 10));
    await bed.clock.advance(6_000);
    askAll(bed, [item(70, 1)]);
    expect(bed.engine.progress().cells).toMatchObject({ requested: 11 });
    await bed.clock.advance(3_000);
    expect(tally(ended)).toEqual({ value: 10 });
    expect(bed.engine.progress().cells).toMatchObject({ requested: 11, done: 10 });
  });

  it.each([1, 3])("resets the counts when a refresh of %i calls begins", async (calls) => {
    const bed = createBed(noQuota);
    const cells = sheet(calls, 100);
    await ask(bed, cells);
    await bed.clock.advance(200);
    bed.service.latencyMs = 2_500;
    const begun = bed.engine.refresh({ items: cells, histories: [] });
    expect(bed.engine.progress()).toMatchObject({ busy: true, cells: { requested: 100 * calls, done: 0 } });
    await bed.clock.advance(1_000);
    expect(bed.engine.progress().calls).toEqual({ sent: calls, savedRequests: 0 });
    await bed.clock.until(begun);
    expect(bed.engine.progress()).toMatchObject({
      cells: { requested: 100 * calls, done: 100 * calls },
      calls: { sent: calls },
    });
  });

  it("does not estimate the time left during an outage", async () => {
    const bed = await warmBed();
    bed.service.script(() => "reset");
    askAll(bed, sheet(30, 1));
    await bed.clock.advance(1_000);
    expect(bed.engine.progress()).toMatchObject({ busy: true, remainingMs: null });
  });
});

it("sends nothing more for a refresh that was cancelled while it waited for its token", async () => {
  const bed = createBed(noQuota);
  const ended = bed.engine.refresh({ items: sheet(1, 1), histories: [] }).catch(codeOfError);
  await bed.clock.advance(40);
  bed.engine.cancel();
  await bed.clock.runAll();
  expect(await ended).toBe("cancelled");
  expect(bed.service.of("search")).toHaveLength(0);
});
