/**
 * A formula with two INV calls under Microsoft's own runtime of custom functions: when the runtime begins the calls, and what the register
 * then knows of the cell. One of the items is cached, so its call is answered at once, and the other one's call waits.
 */
import { createEngine } from "../../src/engine/engine";
import { qty } from "../../src/functions/catalogue/inventory";
import { startFunctions } from "../../src/functions/context";
import { type FunctionCall } from "../excel/function-host";
import { openFunctionsExcel } from "../excel/functions-in-node";
import { createScriptedService, quantityOf } from "../helpers/scripted-service";
import { createVirtualClock } from "../helpers/virtual-clock";
import { contextOn } from "./fakes";

const cached = "00000000000001";
const other = "00000000000002";
/** The runtime begins calls for so long, then it lets the page's other turns run. */
const runtimeSliceMs = 1_000;

const queryOf = (value: string) => ({ storeNumber: 1234, itemType: "gtin" as const, value });
const call = (address: string, item: string): FunctionCall => ({
  ...{ name: "QTY", address: `Sheet1!${address}` },
  parameters: [[[1234]], [[item]], null, null, null],
});

/** Opens the runtime with one item cached five minutes ago. */
async function open(callTakesMs = 0) {
  const clock = createVirtualClock();
  const service = createScriptedService({ clock });
  const engine = createEngine({ clock, transport: service.transport });
  engine.connect(service.connection);
  const context = { ...contextOn(clock), engine };
  startFunctions(context);
  /** The cells in the order of their calls, with the turn of the event loop in which each call began. */
  const begun: [address: string, turn: number][] = [];
  const host = await openFunctionsExcel({
    clock,
    functions: {
      QTY: (...given: Parameters<typeof qty>) => {
        begun.push([(given.at(-1) as { address: string }).address, clock.turn]);
        const result = qty(...given);
        clock.sleep(callTakesMs);
        return result;
      },
    },
  });
  const asking = engine.item(queryOf(cached));
  const cachedAtMs = (await clock.until(asking)).fetchedAtMs;
  await clock.advance(5 * 60_000);
  const shown: unknown[] = [];
  return {
    ...{ clock, context, begun, cachedAtMs, shown },
    /** Sends the calls in one message. Their results come later, in the order of `shown`. */
    send(...calls: FunctionCall[]): void {
      for (const result of host.functions.call(calls)) void result.then((each) => shown.push(each));
    },
  };
}

const valueOf = (item: string) => ({ value: [[quantityOf(1234, item)]] });

afterEach(() => {
  Reflect.deleteProperty(globalThis, "CustomFunctions");
});

it("begins both calls of a message in one turn, so the register knows both queries and the older time", async () => {
  const { clock, context, begun, cachedAtMs, shown, send } = await open();
  send(call("C1", cached), call("C1", other));
  expect(begun.map(([, turn]) => turn - clock.turn)).toEqual([0, 0]);
  expect(context.cells.get("Sheet1!C1")).toMatchObject({ state: "waiting", recalculation: 1 });
  await clock.advance(10_000);
  // The first result doesn't wait for the second.
  expect(shown).toEqual([valueOf(cached), valueOf(other)]);
  expect(context.cells.get("Sheet1!C1")).toMatchObject({
    ...{ state: "value", recalculation: 1, queries: [queryOf(cached), queryOf(other)] },
    ...{ oldestMs: cachedAtMs, returned: undefined },
  });
});

it("begins the calls of two messages in two turns: one whose answer was there belongs to the recalculation before", async () => {
  const { clock, context, begun, send } = await open();
  send(call("C1", cached));
  await clock.turns();
  send(call("C1", other));
  const [[, first], [, second]] = begun as [[string, number], [string, number]];
  expect(second).toBeGreaterThan(first);
  await clock.advance(10_000);
  expect(context.cells.get("Sheet1!C1")).toMatchObject({ recalculation: 2, queries: queryOf(other) });
});

it("keeps the calls of two messages together while the first waits for its answer", async () => {
  const { clock, context, send } = await open();
  send(call("C1", other));
  await clock.turns();
  send(call("C1", cached));
  await clock.advance(10_000);
  expect(context.cells.get("Sheet1!C1")).toMatchObject({
    ...{ recalculation: 1, queries: [queryOf(other), queryOf(cached)] },
  });
});

it("interrupts a message whose calls take longer than a second, also within a formula", async () => {
  const { clock, begun, shown, send } = await open(0.6 * runtimeSliceMs);
  send(call("C1", cached), call("C2", cached), call("C2", other));
  expect(begun.map(([address]) => address)).toEqual(["Sheet1!C1", "Sheet1!C2"]);
  await clock.advance(10_000);
  const [, [, first], [, second]] = begun as [unknown, [string, number], [string, number]];
  expect(second).toBeGreaterThan(first);
  expect(shown).toHaveLength(3);
});
