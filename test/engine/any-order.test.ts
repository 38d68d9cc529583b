/** Whatever is asked, refreshed and cancelled, in whatever order calls land: the promises of `chaos` hold. */
import fc from "fast-check";
import { useLightMessages } from "../helpers/light-messages";
import { runScenario, type Step } from "./chaos";
import { faults } from "./chaos-faults";

useLightMessages();

const step: fc.Arbitrary<Step> = fc.record({
  afterMs: fc.constantFrom(0, 1, 13, 50, 100, 170, 300, 700, 3_000, 20_000, 61_000),
  kind: fc.constantFrom<Step["kind"][]>(
    "items",
    "items",
    "items",
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

const call = fc.tuple(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant("none") },
    { weight: 2, arbitrary: fc.constantFrom(...Object.keys(faults)) },
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
          seed: fc.integer(),
          steps: fc.array(step, { minLength: 1, maxLength: 10 }),
          calls: fc.array(call, { maxLength: 25 }),
        }),
        runScenario,
      ),
      { numRuns: Number(process.env.INV_RUNS ?? runs) },
    );
  },
  5 * 60_000,
);
