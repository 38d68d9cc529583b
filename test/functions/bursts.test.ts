/** Many calls in one turn of the event loop, as when Excel calculates a sheet: their requests, their order, and a cancel. */
import { createEngine } from "../../src/engine/engine";
import { asOf, qty } from "../../src/functions/catalogue/inventory";
import { startFunctions } from "../../src/functions/context";
import { createScriptedService } from "../helpers/scripted-service";
import { createVirtualClock } from "../helpers/virtual-clock";
import { contextOn, fakeContext, found, nowMs, record, shownBy, withHost } from "./fakes";

withHost();

const gtin = "00012345678905";
const others = [undefined, undefined, undefined] as const;
const ask = (store: number, item = gtin): Promise<unknown> =>
  shownBy(qty([[store]], [[item]], ...others, { address: `A${store}` }));
const stores = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i);

it("a burst asks in the order of its cells, before the turn ends", () => {
  const context = fakeContext();
  startFunctions(context);
  void Promise.all(stores(100, 3_000).map((store) => ask(store)));
  expect(context.engine.items.map(({ storeNumber }) => storeNumber)).toEqual(stores(100, 3_000));
});

it("a record's time waits for the quantity beside it, though that comes later in the burst", async () => {
  const clock = createVirtualClock({ startMs: nowMs });
  const context = fakeContext();
  startFunctions(context);
  context.engine.knownItem = () => found(record(), nowMs - 3_600_000);
  const plain = context.engine.item;
  context.engine.item = (query, cell) => {
    context.engine.busy = true;
    return plain(query, cell);
  };
  const time = shownBy(asOf([[100]], [[gtin]], undefined, { address: "B1" }));
  const quantity = ask(100);
  await clock.turns();
  expect(await quantity).toBe(12);
  expect(await time).toBe(46346.5);
});

describe("with the engine", () => {
  function openWithEngine() {
    const clock = createVirtualClock();
    const service = createScriptedService({ clock, quota: 1_000_000 });
    const engine = createEngine({ clock, transport: service.transport });
    engine.connect(service.connection);
    startFunctions({ ...contextOn(clock), engine });
    return { clock, service, engine };
  }

  it("a burst costs the fewest calls, though its stores alternate", async () => {
    const { clock, service } = openWithEngine();
    const shown = stores(0, 150).flatMap((number) =>
      stores(1_000, 4).map((store) => ask(store, String(10_000_000_000_000 + number))),
    );
    await clock.advance(60_000);
    expect(new Set((await Promise.all(shown)).map((value) => typeof value))).toEqual(new Set(["number"]));
    expect(service.of("search").length).toBe(4 * 2);
  });

  it("a cancel right after a burst ends all of it within 100 ms, and nothing is sent", async () => {
    const { clock, service, engine } = openWithEngine();
    let settled = 0;
    for (let number = 0; number < 10_000; number += 1) {
      void ask(1_000 + (number % 100), String(10_000_000_000_000 + number)).then((shown) => {
        if (String(shown).startsWith("#VALUE!")) settled += 1;
      });
    }
    engine.cancel();
    await clock.advance(100);
    expect(settled).toBe(10_000);
    await clock.advance(60_000);
    expect(service.of("search")).toEqual([]);
  });
});
