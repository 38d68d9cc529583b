/**
 * Many calls in one turn of the event loop: calls beyond the turn's time budget begin later. Only the time may differ. The
 * requests, their order, what cells show and what a cancel ends stay the same.
 */
import { fc } from "../helpers/properties";
import { createEngine } from "../../src/engine/engine";
import { asOf, qty } from "../../src/functions/catalogue/inventory";
import { startFunctions } from "../../src/functions/context";
import { createTimeSlices, type TimeSlices } from "../../src/functions/time-slices";
import { createScriptedService } from "../helpers/scripted-service";
import { createVirtualClock, type VirtualClock } from "../helpers/virtual-clock";
import { fakeContext, found, nowMs, record, contextOn, shownBy, withHost } from "./fakes";

withHost();

const gtin = "00012345678905";
const others = [undefined, undefined, undefined] as const;
const ask = (store: number): Promise<unknown> =>
  shownBy(qty([[store]], [[gtin]], ...others, { address: `A${store}` }));
const stores = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i);

/** Each read of the time advances it by `lookMs`, as if the work in between had taken that long. */
function slowTurns(
  clock: VirtualClock,
  lookMs: number,
  { onTurn, onBehind }: { onTurn?: () => void; onBehind?: (caughtUp: Promise<void>) => void } = {},
): TimeSlices {
  let spentMs = 0;
  const slow = {
    nextTurn(callback: () => void) {
      clock.nextTurn(() => {
        callback();
        onTurn?.();
      });
    },
    steadyNow: () => (spentMs += lookMs),
  };
  return createTimeSlices(slow, onBehind);
}

function openSlow(lookMs = 1) {
  const clock = createVirtualClock({ startMs: nowMs });
  const askedByTurn: number[] = [];
  const turns = slowTurns(clock, lookMs, { onTurn: () => void askedByTurn.push(asked().length) });
  const context = { ...fakeContext(), timeSlices: turns };
  startFunctions(context);
  const asked = (): number[] => context.engine.items.map(({ storeNumber }) => storeNumber);
  /** `askedByTurn` contains the number of requests after each of our turns. */
  return { clock, context, asked, askedByTurn };
}

describe("calls of one turn", () => {
  it("begin at once while the turn is young, the rest in turns of their own and in their order", async () => {
    const { clock, asked, askedByTurn } = openSlow();
    const shown = Promise.all(stores(100, 100).map(ask));
    askedByTurn.unshift(asked().length);
    await clock.turns();
    expect(asked()).toEqual(stores(100, 100));
    const begun = askedByTurn.map((all, turn) => all - (askedByTurn[turn - 1] ?? 0));
    expect(begun[0]).toBeGreaterThan(0);
    expect(Math.max(...begun)).toBeLessThan(20);
    expect(await shown).toEqual(stores(100, 100).map(() => 12));
  });

  it("begin after those that came before, whichever message they came in", async () => {
    const { clock, asked } = openSlow();
    const shown = [...stores(100, 40).map(ask)];
    expect(asked().length).toBeLessThan(40);
    await Promise.resolve();
    shown.push(...stores(500, 5).map(ask));
    await clock.turns();
    expect(asked()).toEqual([...stores(100, 40), ...stores(500, 5)]);
    expect(await Promise.all(shown)).toHaveLength(45);
  });

  it("a single cell is requested at once, also after a burst", async () => {
    const { clock, asked } = openSlow(4);
    void ask(100);
    expect(asked()).toEqual([100]);
    await clock.turns();
    const burst = stores(200, 50).map(ask);
    await clock.turns();
    await Promise.all(burst);
    void ask(300);
    expect(asked().at(-1)).toBe(300);
  });

  it("stay with the context they came in, also those that begin when another has opened", async () => {
    const { clock, asked } = openSlow();
    const shown = Promise.all(stores(100, 60).map(ask));
    expect(asked().length).toBeLessThan(60);
    const other = openSlow();
    await clock.turns();
    expect(await shown).toEqual(stores(100, 60).map(() => 12));
    expect(asked()).toEqual(stores(100, 60));
    expect(other.asked()).toEqual([]);
  });

  it("a record's time waits for the quantity beside it, though that was put off", async () => {
    const { clock, context } = openSlow(20);
    context.engine.knownItem = () => found(record(), nowMs - 3_600_000);
    const time = shownBy(asOf([[100]], [[gtin]], undefined, { address: "B1" }));
    const quantity = ask(100);
    expect(context.engine.items).toEqual([]);
    context.engine.item = ((plain) => (query, cell) => {
      context.engine.busy = true;
      return plain(query, cell);
    })(context.engine.item);
    await clock.turns();
    expect(await quantity).toBe(12);
    expect(await time).toBe(46346.5);
  });

  it("order and values are those of calls that begin at once, however the host's messages fall", async () => {
    const message = fc.record({
      calls: fc.integer({ min: 1, max: 60 }),
      pause: fc.constantFrom("none", "microtask", "turn", "all"),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(0, 0.3, 1, 5, 30),
        async (messages, lookMs) => {
          const { clock, context, asked } = openSlow(lookMs);
          context.engine.answerItem = ({ storeNumber }) =>
            found(
              record({ locations: [{ locationArea: "STORE", state: "AVAILABLE", quantity: storeNumber }] }),
            );
          const shown: Promise<unknown>[] = [];
          let store = 100;
          for (const { calls, pause } of messages) {
            for (let call = 0; call < calls; call += 1) shown.push(ask(store++));
            if (pause === "microtask") await Promise.resolve();
            if (pause === "all") await clock.turns();
            // The next message arrives between two turns of postponed work.
            if (pause === "turn") clock.nextTurn(() => undefined);
            if (pause === "turn") await Promise.race([clock.turns(), Promise.resolve()]);
          }
          await clock.turns();
          expect(asked()).toEqual(stores(100, store - 100));
          expect(await Promise.all(shown)).toEqual(stores(100, store - 100));
          expect(context.cells.summary()).toMatchObject({ cells: store - 100, waiting: 0 });
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("with the engine", () => {
  function openWithEngine() {
    const clock = createVirtualClock();
    const service = createScriptedService({ clock, quota: 1_000_000 });
    const turns = slowTurns(clock, 1, { onBehind: (caughtUp) => engine.expectMore(caughtUp) });
    const engine = createEngine({ clock, transport: service.transport, beforeCancel: turns.catchUp });
    engine.connect(service.connection);
    startFunctions({ ...contextOn(clock), engine, timeSlices: turns });
    return { clock, service, engine };
  }

  it("calls are as few as if all had begun at once", async () => {
    const { clock, service } = openWithEngine();
    const shown: Promise<unknown>[] = [];
    for (let number = 0; number < 150; number += 1) {
      const item = String(10_000_000_000_000 + number);
      for (const store of stores(1_000, 4)) shown.push(shownBy(qty([[store]], [[item]])));
    }
    await clock.advance(60_000);
    expect(new Set((await Promise.all(shown)).map((value) => typeof value))).toEqual(new Set(["number"]));
    expect(service.of("search").length).toBe(4 * 2);
  });

  it("a cancel ends what was put off with the rest, and nothing of it is sent afterwards", async () => {
    const { clock, service, engine } = openWithEngine();
    const shown = Promise.all(stores(1_000, 200).map(ask));
    engine.cancel();
    await clock.turns();
    const texts = await shown;
    expect(texts).toHaveLength(200);
    for (const text of texts) expect(text).toMatch(/^#VALUE! Cancelled before the answer came/);
    await clock.advance(60_000);
    expect(service.of("search")).toEqual([]);
  });
});
