/** Calculations before and after the add-in has started, and what it learns about each cell. */
import { InvError } from "../../src/domain/errors";
import type { ItemRecord } from "../../src/domain/records";
import type { ItemAnswer, Waiter } from "../../src/engine/types";
import { eventTable } from "../../src/functions/catalogue/events";
import type * as Inventory from "../../src/functions/catalogue/inventory";
import { asOf, qty } from "../../src/functions/catalogue/inventory";
import type * as Context from "../../src/functions/context";
import { fakeContext, found, none, record, shownBy, withHost, nextTurn } from "./fakes";

const gtin = "00012345678905";
const at = (address: string): CustomFunctions.Invocation => ({ functionName: "QTY", address });
const preview = {
  functionName: "QTY",
  address: "A1",
  isInValuePreview: true,
} as unknown as CustomFunctions.Invocation;

type ContextModule = typeof Context;
type InventoryModule = typeof Inventory;

withHost();

/** The functions as they are just after the add-in's page has loaded. */
function freshlyLoaded(): ContextModule & InventoryModule {
  let loaded: (ContextModule & InventoryModule) | undefined;
  jest.isolateModules(() => {
    loaded = {
      ...jest.requireActual<ContextModule>("../../src/functions/context"),
      ...jest.requireActual<InventoryModule>("../../src/functions/catalogue/inventory"),
    };
  });
  return loaded!;
}

/** A context whose throttle throws at this result. */
function contextThatThrowsAt(nth: number): ReturnType<typeof fakeContext> {
  const context = fakeContext();
  let results = 0;
  const tryRelease = (bytes: number): boolean => {
    results += 1;
    if (results === nth) throw new RangeError("out of order");
    return context.throttle.tryRelease(bytes);
  };
  return { ...context, throttle: { ...context.throttle, tryRelease } };
}
const unexpected =
  "#VALUE! An unexpected error inside INV. Try again. If it happens again, copy the diagnostics for support.";

describe("functions that Excel calculates while the add-in starts", () => {
  it("wait, and all ask in one turn when the add-in has started", async () => {
    const inv = freshlyLoaded();
    const context = fakeContext();
    const waiting = Array.from({ length: 100 }, () => inv.qty([[1234]], [[gtin]]));
    await Promise.resolve();
    expect(context.engine.items).toEqual([]);
    inv.startFunctions(context);
    expect(context.engine.items).toHaveLength(100);
    inv.startFunctions(context);
    expect(context.engine.items).toHaveLength(100);
    expect(await shownBy(Promise.all(waiting).then((all) => all.flat()))).toHaveLength(100);
  });

  it("give the reason when the start fails, before and after", async () => {
    const inv = freshlyLoaded();
    const before = inv.qty([[1234]], [[gtin]]);
    inv.failFunctions(new InvError("not-connected", "environments.json cannot be read."), {
      steadyNow: () => 0,
    });
    expect(await shownBy(before)).toBe("#VALUE! environments.json cannot be read.");
    expect(await shownBy(inv.qty([[1234]], [[gtin]]))).toBe("#VALUE! environments.json cannot be read.");
    inv.startFunctions(fakeContext());
    expect(await shownBy(inv.qty([[1234]], [[gtin]]))).toBe(12);
  });

  it("give the reason to few of many at once when the start fails, and to later ones again", async () => {
    const inv = freshlyLoaded();
    let atMs = 0;
    const ask = async (count: number) => {
      const shown = await Promise.all(
        Array.from({ length: count }, () => shownBy(inv.qty([[1234]], [[gtin]]))),
      );
      return shown.filter((text) => text === "#VALUE! Not loaded.").length;
    };
    const early = ask(500);
    inv.failFunctions(new InvError("internal", "Not loaded."), { steadyNow: () => atMs });
    expect(await early).toBe(200);
    atMs += 9_999;
    expect(await ask(1)).toBe(0);
    atMs += 1;
    expect(await ask(1)).toBe(1);
    expect(await ask(300)).toBe(199);
  });

  it("begin although one of them throws, and that one shows an error", async () => {
    const inv = freshlyLoaded();
    const waiting = ["A1", "A2", "A3"].map(() => shownBy(inv.qty([[1234]], [[gtin]])));
    const context = contextThatThrowsAt(2);
    context.engine.requestItem = () => found(record());
    inv.startFunctions(context);
    expect(await Promise.all(waiting)).toEqual([12, unexpected, 12]);
  });

  it("do not keep a preview waiting", async () => {
    const inv = freshlyLoaded();
    expect(await shownBy(inv.qty([[1234]], [[gtin]], undefined, undefined, undefined, preview))).toBe("…");
  });
});

describe("after the add-in has started", () => {
  let context = fakeContext();

  beforeEach(() => {
    context = fakeContext();
    jest.requireActual<ContextModule>("../../src/functions/context").startFunctions(context);
  });

  it("a call asks before its first await", async () => {
    const calls = [qty([[1234]], [[gtin]]), eventTable(1234, gtin)];
    expect(context.engine.items).toHaveLength(1);
    expect(context.engine.histories).toHaveLength(1);
    await Promise.allSettled(calls);
  });

  it.each([
    ["one value", [[1234]]],
    ["a column", [[1234], [1235]]],
  ])("an answer reaches all formulas of %s although one of them throws", async (_shape, stores) => {
    const throwing = contextThatThrowsAt(2);
    const waiters: Waiter<ItemRecord>[] = [];
    throwing.engine.requestItem = (_query, waiter) => {
      waiters.push(waiter);
      return null;
    };
    jest.requireActual<ContextModule>("../../src/functions/context").startFunctions(throwing);
    const shown = ["A1", "B1", "C1"].map((address) =>
      shownBy(qty(stores, [[gtin]], undefined, undefined, undefined, at(address))),
    );
    for (const waiter of waiters) waiter.settle(found(record()));
    const value = stores.length === 1 ? 12 : [[12], [12]];
    expect(await Promise.all(shown)).toEqual([value, unexpected, value]);
    expect(throwing.cells.summary()).toMatchObject({ waiting: 0 });
  });

  it("a preview requests and reports nothing, and shows cached values", async () => {
    const ask = (): Promise<unknown> =>
      shownBy(qty([[1234]], [[gtin]], undefined, undefined, undefined, preview));
    expect(await ask()).toBe("…");
    expect(context.engine.items).toEqual([]);
    expect(await shownBy(asOf([[1234]], [[gtin]], undefined, preview))).toBe("…");
    context.engine.fresh = true;
    expect(await ask()).toBe(12);
    expect(context.cells.summary().cells).toBe(0);
  });

  it("the register knows what a cell asked for and how it ended", async () => {
    const calculation = qty([[1234], [1235]], [[gtin]], undefined, undefined, undefined, at("Plan!C2"));
    expect(context.cells.get("Plan!C2")).toMatchObject({ state: "waiting", environmentId: "demo" });
    await calculation;
    expect(context.cells.get("Plan!C2")).toMatchObject({
      state: "value",
      queries: [
        { storeNumber: 1234, itemType: "gtin", value: gtin },
        { storeNumber: 1235, itemType: "gtin", value: gtin },
      ],
    });
  });

  it("a last known value is shown, and the cell is stale", async () => {
    const outage = new InvError("service-down", "The service is not available.");
    context.engine.answerItem = () => ({ ...found(record(), 1000), staleBecause: outage });
    expect(await shownBy(qty([[1234]], [[gtin]], undefined, undefined, undefined, at("A1")))).toBe(12);
    expect(context.cells.get("A1")).toMatchObject({ state: "stale", isUnanswered: true, oldestMs: 1000 });
    expect(context.cells.problemList.groups()).toEqual([]);
  });

  it("the problem list names the spilled cell, store and item of each wrong argument as they were given", async () => {
    await qty([[1234], ["x"]], [[gtin, "12345"]], undefined, undefined, undefined, at("'My sheet'!Z9"));
    expect(context.cells.problemList.recent().map(({ cell, store, item }) => [cell, store, item])).toEqual([
      ["'My sheet'!AA10", "x", "12345"],
      ["'My sheet'!Z10", "x", gtin],
      ["'My sheet'!AA9", "1234", "12345"],
    ]);
    expect(context.cells.get("'My sheet'!Z9")).toMatchObject({ state: "problem" });
  });

  it.each([
    ["one value", [[" 0099"]], ["A1"]],
    ["a range", [[" 0099"], [99]], ["A2", "A1"]],
  ])("the problem list names store and item of %s as INV asked for them", async (_shape, stores, cells) => {
    context.engine.answerItem = () => none("no-data", "No data found");
    await shownBy(qty(stores, [[12345678905]], undefined, undefined, undefined, at("A1")));
    expect(context.cells.problemList.recent().map(({ cell, store, item }) => [cell, store, item])).toEqual(
      cells.map((cell) => [cell, "99", gtin]),
    );
  });

  it("a cell that has a value again counts for no reason any more", async () => {
    const column = (): Promise<unknown> =>
      shownBy(qty([[1234], [1235]], [[gtin]], undefined, undefined, undefined, at("C2")));
    context.engine.answerItem = () => none("not-mapped", "GTIN not mapped to the supplier");
    await column();
    await nextTurn();
    expect(context.cells.problemList.groups()).toMatchObject([{ count: 1, cells: [{ missing: 2 }] }]);
    context.engine.answerItem = ({ storeNumber }) =>
      storeNumber === 1234 ? found(record()) : none("not-mapped", "GTIN not mapped to the supplier");
    await column();
    await nextTurn();
    expect(context.cells.problemList.groups()).toMatchObject([
      { count: 1, cells: [{ missing: 1, problems: [{ cell: "C3" }] }] },
    ]);
    context.engine.answerItem = () => found(record());
    await column();
    await nextTurn();
    expect(context.cells.problemList.groups()).toEqual([]);
  });

  it("the problem of one INV call is not hidden by the value of another in the same formula", async () => {
    context.engine.answerItem = ({ storeNumber }) =>
      storeNumber === 1234 ? none("no-data", "No data found") : found(record());
    const both = (): Promise<unknown> =>
      Promise.all([
        shownBy(qty([[1234]], [[gtin]], undefined, undefined, undefined, at("A1"))),
        shownBy(qty([[1235]], [[gtin]], undefined, undefined, undefined, at("A1"))),
      ]);
    await both();
    await nextTurn();
    expect(context.cells.problemList.groups()).toMatchObject([{ code: "no-data", count: 1 }]);
    // In the recalculation the good one is answered first. While the other one waits, the cell has no problem.
    let answerLate: (answer: ItemAnswer) => void = () => undefined;
    const late = new Promise<ItemAnswer>((resolve) => (answerLate = resolve));
    context.engine.answerItem = ({ storeNumber }) => (storeNumber === 1234 ? late : found(record()));
    const again = both();
    await new Promise((resolve) => setImmediate(resolve));
    expect(context.cells.get("A1")?.state).toBe("waiting");
    expect(context.cells.problemList.groups()).toEqual([]);
    answerLate(found(record()));
    await again;
    expect(context.cells.problemList.groups()).toEqual([]);
  });
});
