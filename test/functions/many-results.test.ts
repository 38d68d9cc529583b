/**
 * Results of many formulas at once under Microsoft's own runtime of custom functions. Each is small enough for Excel, but
 * all together are not. The tests check what arrives at the host. On the web, a message of 5 MB is refused by design
 * (office-js 2786, 4654). Whether the runtime then slices it depends on a feature flag of the host.
 */
import { status } from "../../src/functions/catalogue/inventory";
import { createResultThrottle } from "../../src/functions/result-throttle";
import { startFunctions } from "../../src/functions/context";
import type { FunctionCall } from "../excel/function-host";
import { openFunctionsExcel } from "../excel/functions-in-node";
import { createVirtualClock } from "../helpers/virtual-clock";
import { fakeContext, none, nowMs } from "./fakes";

const slowMs = 10_000;
const lifeMs = 60_000;
const gtin = "00012345678905";

interface Arrival {
  /** Bytes of the result, or null if it never arrived. */
  readonly size: number | null;
  /** Milliseconds from INV's release of the result until the host had it. */
  readonly tookMs: number;
}

interface Setting {
  readonly slices: boolean;
  readonly messageMs: number;
  /** Length of each answer. */
  readonly textLength: number;
}

/** Runs the calls of one message of the host. Returns how each ended. */
async function run(calls: readonly FunctionCall[], setting: Setting) {
  const clock = createVirtualClock({ startMs: nowMs });
  const context = { ...fakeContext(), throttle: createResultThrottle(clock) };
  context.engine.requestItem = () => none("no-data", "x".repeat(setting.textLength));
  startFunctions(context);
  const releasedAtMs: number[] = [];
  const noting =
    (run: (...given: never[]) => Promise<unknown>) =>
    (...given: unknown[]) => {
      const result = run(...(given as never[]));
      const index = Number(/\d+$/.exec((given.at(-1) as { address: string }).address)?.[0]);
      const note = (): void => {
        releasedAtMs[index] = clock.now();
      };
      result.then(note, note);
      return result;
    };
  const host = await openFunctionsExcel({
    clock,
    ...setting,
    functions: { STATUS: noting(status) },
  });
  const arrivals: (Arrival | undefined)[] = [];
  host.functions.call(calls).forEach((result, index) => {
    void result.then((given) => {
      arrivals[index] = { size: sizeOf(given), tookMs: clock.now() - (releasedAtMs[index] ?? NaN) };
    });
  });
  const refusals = (): number => host.requests.filter((request) => request.refused !== null).length;
  // The runtime retries a refused message again and again, so the first refusal is enough.
  for (let waitedMs = 0; waitedMs < 300_000 && refusals() === 0; waitedMs += 1_000) {
    await clock.advance(1_000);
  }
  const refused = refusals();
  return { arrivals: calls.map((_, index) => arrivals[index]), refused };
}

function sizeOf(result: object): number {
  return "value" in result ? (result.value as unknown[][]).flat().length : 1;
}

const settings = [
  { slices: false, messageMs: 50 },
  { slices: true, messageMs: 50 },
  { slices: false, messageMs: slowMs },
  { slices: true, messageMs: slowMs },
];

describe.each(settings)("on a host that takes $messageMs ms a message, slicing $slices,", (setting) => {
  it("five grids of the largest size all arrive", async () => {
    const stores = Array.from({ length: 1_800 }, (_, row) => [1000 + row]);
    const calls = Array.from({ length: 5 }, (_, index) => statusOf(index, stores));
    const { arrivals, refused } = await run(calls, { ...setting, textLength: 2_000 });
    expect(arrivals.map((arrival) => arrival?.size)).toEqual(calls.map(() => stores.length));
    expect(Math.max(...arrivals.map((arrival) => arrival?.tookMs ?? Infinity))).toBeLessThan(lifeMs);
    expect(refused).toBe(0);
  });

  it("8 MB of single texts all arrive", async () => {
    const calls = Array.from({ length: 4_000 }, (_, index) => statusOf(index, [[1234]]));
    const { arrivals, refused } = await run(calls, { ...setting, textLength: 2_000 });
    expect(arrivals.filter((arrival) => arrival === undefined)).toHaveLength(0);
    expect(arrivals.every((arrival) => (arrival?.tookMs ?? Infinity) < lifeMs)).toBe(true);
    expect(refused).toBe(0);
  });
});

function statusOf(index: number, stores: readonly number[][]): FunctionCall {
  return { name: "STATUS", parameters: [stores, [[gtin]], null], address: `Sheet1!C${index}` };
}
