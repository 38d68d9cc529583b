/**
 * Whatever is asked, refreshed and cancelled, whatever becomes of calls and in whatever order they end: the promises
 * of `chaos` hold. A failure prints its seed and its scenario; INV_RUNS sets another number of runs.
 */
import fc from "fast-check";
import { useLightMessages } from "../helpers/light-messages";
import { runScenario, type Step } from "./chaos";
import { type FaultName, faults } from "./chaos-faults";

useLightMessages();

const step: fc.Arbitrary<Step> = fc.record({
  afterMs: fc.constantFrom(0, 1, 13, 50, 100, 170, 300, 700, 3_000, 20_000, 61_000),
  kind: fc.constantFrom<Step["kind"][]>(
    "items",
    "items",
    "items",
    "burst",
    "refresh",
    "refresh",
    "refresh",
    "histories",
    "histories",
    "other",
    "other",
  ),
  numbers: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 5 }) },
      { weight: 1, arbitrary: fc.integer({ min: 6, max: 23 }) },
      { weight: 2, arbitrary: fc.integer({ min: 24, max: 40 }) },
    ),
    { maxLength: 8 },
  ),
  other: fc.constantFrom<Step["other"][]>(
    "cancel",
    "cancel",
    "clear",
    "connect",
    "disconnect",
    "try again",
    "test",
    "clock",
  ),
});

/** An item under way, overtaken by a refresh whose first call is another store's, and asked for again. */
const overtaking = fc
  .record({
    item: fc.constantFrom(0, 1, 2),
    afterMs: fc.constantFrom(1, 50, 100, 300, 700),
    againAfterMs: fc.constantFrom(100, 170, 300, 1_000),
  })
  .map(({ item, afterMs, againAfterMs }): Step[] => [
    { afterMs, kind: "items", numbers: [item], other: "test" },
    { afterMs, kind: "refresh", numbers: [(item + 1) % 3, item], other: "test" },
    { afterMs: againAfterMs, kind: "items", numbers: [item], other: "test" },
  ]);

const steps = fc
  .array(
    fc.oneof(
      {
        weight: 5,
        arbitrary: step.map((one) => [one]),
      },
      { weight: 1, arbitrary: overtaking },
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

const runs = 2_000;

test(
  "whatever the order, what is shown is never older, and everything ends",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          quota: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 7, max: 100 })),
          queuedPerTurn: fc.constantFrom(1, 1, 2, 3, 1_000),
          seed: fc.integer(),
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
