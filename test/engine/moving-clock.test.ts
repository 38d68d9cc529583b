/**
 * A clock like a browser's: it shows whole milliseconds, truncates timers to them, and advances while the engine decides.
 * The engine must not miss what opens between two reads of the clock, or cells would wait for ever.
 */
import type { Clock } from "../../src/engine/clock";
import { createEngine } from "../../src/engine/engine";
import { createScriptedService, problem, type Scripted } from "../helpers/scripted-service";
import { createVirtualClock, type VirtualClock } from "../helpers/virtual-clock";
import { type Bed, createBed, history, item, noQuota, sheet, tally, ask } from "./bed";

const runs = 30;
/** The longest time between two reads of the clock. The actual time is random in every run. */
const mostBetweenLooksMs = 0.08;

function moving(clock: VirtualClock, betweenLooksMs: number): Clock {
  let passedMs = 0;
  const look = (): number => Math.floor(clock.now() + (passedMs += betweenLooksMs));
  return {
    now: look,
    steadyNow: look,
    setTimeout: (callback, waitMs) => clock.setTimeout(callback, Math.trunc(waitMs)),
    clearTimeout: (timer) => clock.clearTimeout(timer),
    nextTurn: (callback) => clock.nextTurn(callback),
    random: () => clock.random(),
  };
}

function createMovingBed(seed: number, quota: number): Bed {
  const clock = createVirtualClock({ seed });
  const service = createScriptedService({ clock, quota });
  const betweenLooksMs = (mostBetweenLooksMs * seed) / runs;
  const engine = createEngine({ clock: moving(clock, betweenLooksMs), transport: service.transport });
  engine.connect(service.connection);
  return { clock, service, engine };
}

const down = (): Scripted => problem(503, "One or more services are unavailable");
const throttled = (): Scripted => new Response("", { status: 429 });

describe("on a clock that advances while the engine decides, every cell ends", () => {
  it.each([
    ["when the service is down", "search", down, "service-down"],
    [
      "when it is down for three calls",
      "search",
      (number: number) => (number < 3 ? down() : undefined),
      "value",
    ],
    [
      "when colleagues use the quota",
      "search",
      (number: number) => (number < 4 ? throttled() : undefined),
      "value",
    ],
    [
      "when the first token requests are throttled",
      "token",
      (number: number) => (number < 4 ? throttled() : undefined),
      "value",
    ],
  ])("%s", async (_, of, script, ending) => {
    for (let seed = 1; seed <= runs; seed += 1) {
      const bed = createMovingBed(seed, 600);
      bed.service.script(({ operation, number }) => (operation === of ? script(number) : undefined));
      const ended = await ask(bed, sheet(2, 3));
      expect({ seed, ...tally(ended) }).toEqual({ seed, [ending]: 6 });
    }
  });

  it("when the quota is used up", async () => {
    for (let seed = 1; seed <= runs; seed += 4) {
      const bed = createMovingBed(seed, 10);
      const ended = await ask(bed, sheet(40, 1));
      expect({ seed, ...tally(ended) }).toEqual({ seed, value: 40 });
    }
  });
});

describe("an answer is stale", () => {
  const minuteMs = 60_000;
  const freshnessMs = 15 * minuteMs;

  it.each([
    ["after the computer slept, and the steady clock with it", freshnessMs, 0],
    ["although the system clock was set back", -60 * minuteMs, freshnessMs],
    ["by both clocks", 0, freshnessMs],
  ])("%s", async (_title, setByMs, passesMs) => {
    const bed = createBed({ ...noQuota, settings: { freshnessMs } });
    const ask = async () => {
      await bed.clock.until(bed.engine.item(item(1, 1)));
      await bed.clock.until(bed.engine.history(history(1)));
    };
    await ask();
    bed.clock.setSystem(setByMs);
    await bed.clock.advance(passesMs);
    expect([bed.engine.isFresh(item(1, 1)), bed.engine.isFresh(history(1))]).toEqual([false, false]);
    await ask();
    expect([bed.service.of("search").length, bed.service.of("events").length]).toEqual([2, 2]);
  });

  it("only after the freshness time, by either clock", async () => {
    const bed = createBed({ ...noQuota, settings: { freshnessMs } });
    await bed.clock.until(bed.engine.item(item(1, 1)));
    bed.clock.setSystem(freshnessMs / 2);
    await bed.clock.advance(freshnessMs / 2 - 1);
    await bed.clock.until(bed.engine.item(item(1, 1)));
    expect(bed.service.of("search")).toHaveLength(1);
  });
});
