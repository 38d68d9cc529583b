/**
 * Property: for any requests, refreshes and cancels, and any fate and order of calls, the promises of `chaos` are true. A
 * failure prints its seed and its scenario. INV_RUNS sets the number of runs.
 */
import { fc } from "../helpers/properties";
import { useLightMessages } from "../helpers/light-messages";
import { runScenario } from "./chaos";
import { type FaultName, faults } from "./chaos-faults";
import type { Step } from "./chaos-scenario";

useLightMessages();

/** Chooses each value as often as its number says. */
function weighted<T extends string>(weights: Record<T, number>): fc.Arbitrary<T> {
  const names = Object.entries<number>(weights) as [T, number][];
  return fc.constantFrom(...names.flatMap(([name, times]) => Array<T>(times).fill(name)));
}

const step: fc.Arbitrary<Step> = fc.record({
  afterMs: fc.constantFrom(0, 1, 13, 50, 100, 170, 300, 700, 3_000, 20_000, 61_000),
  kind: weighted<Step["kind"]>({ items: 3, burst: 1, refresh: 3, histories: 2, formulas: 3, other: 3 }),
  numbers: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 5 }) },
      { weight: 1, arbitrary: fc.integer({ min: 6, max: 23 }) },
      { weight: 2, arbitrary: fc.integer({ min: 24, max: 40 }) },
    ),
    { maxLength: 8 },
  ),
  other: weighted<Step["other"]>({
    ...{ cancel: 2, clear: 1, connect: 1, disconnect: 1, "try again": 1 },
    ...{ clock: 1, freshness: 1, approve: 1, rename: 2 },
  }),
});

/** A refresh overtakes an item in flight: its first call is for another store, and the item is requested again. */
const overtaking = fc
  .record({
    item: fc.constantFrom(0, 1, 2),
    afterMs: fc.constantFrom(1, 50, 100, 300, 700),
    againAfterMs: fc.constantFrom(100, 170, 300, 1_000),
  })
  .map(({ item, afterMs, againAfterMs }): Step[] => [
    { afterMs, kind: "items", numbers: [item], other: "approve" },
    { afterMs, kind: "refresh", numbers: [(item + 1) % 3, item], other: "approve" },
    { afterMs: againAfterMs, kind: "items", numbers: [item], other: "approve" },
  ]);

/** Whole histories are cached. A refresh of some of their types is cancelled or fails, and they are requested again. */
const refreshOfParts = fc
  .record({
    parts: fc.subarray([25, 26, 27, 33, 34, 35, 36, 37, 38], { minLength: 1, maxLength: 4 }),
    afterMs: fc.constantFrom(50, 100, 170, 300, 700),
    end: fc.constantFrom<Step["other"][]>("cancel", "freshness", "clock"),
    again: fc.constantFrom<Step["kind"][]>("histories", "formulas"),
  })
  .map(({ parts, afterMs, end, again }): Step[] => [
    { afterMs, kind: "histories", numbers: [24, 32, 36], other: "approve" },
    { afterMs: 3_000, kind: "refresh", numbers: parts, other: "approve" },
    { afterMs, kind: "other", numbers: [], other: end },
    { afterMs: 13, kind: again, numbers: parts, other: "approve" },
  ]);

/** Sums of a type that no history contains take two calls. They are cancelled meanwhile and calculated again. */
const cancelledSums = fc
  .record({
    numbers: fc.subarray([24, 28, 32, 36, 40], { minLength: 1 }),
    afterMs: fc.constantFrom(20, 60, 100, 170, 250, 350),
    againAfterMs: fc.constantFrom(1, 300, 61_000),
  })
  .map(({ numbers, afterMs, againAfterMs }): Step[] => [
    { afterMs: 13, kind: "formulas", numbers, other: "approve" },
    { afterMs, kind: "other", numbers: [], other: "cancel" },
    { afterMs: againAfterMs, kind: "formulas", numbers, other: "approve" },
    { afterMs, kind: "other", numbers: [], other: "cancel" },
  ]);

const steps = fc
  .array(
    fc.oneof(
      {
        weight: 5,
        arbitrary: step.map((one) => [one]),
      },
      { weight: 1, arbitrary: overtaking },
      { weight: 1, arbitrary: refreshOfParts },
      { weight: 1, arbitrary: cancelledSums },
    ),
    { minLength: 1, maxLength: 9 },
  )
  .map((parts) => parts.flat());

const call = fc.tuple(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<FaultName>("none") },
    { weight: 2, arbitrary: fc.constantFrom(...(Object.keys(faults) as FaultName[])) },
  ),
  fc.constantFrom(2, 40, 80, 80, 80, 300, 1_000, 4_000, 4_000, 14_000),
);

/** About six seconds; `npm run drills -- properties` runs more. */
const runs = 160;

test(
  "keeps its promises for any order of requests, refreshes, cancels and answers",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          quota: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 7, max: 100 })),
          seed: fc.integer(),
          turnMs: fc.constantFrom(0, 0, 1, 4),
          askAboveCalls: fc.constantFrom(0, 0, 1, 5),
          steps,
          calls: fc.array(call, { maxLength: 25 }),
        }),
        runScenario,
      ),
      { numRuns: Number(process.env.INV_RUNS ?? runs) },
    );
  },
  20 * 60_000,
);
