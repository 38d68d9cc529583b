/** The arithmetic of pacing, which pages and the team's server share: pauses, and a pace that falls and recovers. */
import { backoffMs, longestPauseMs, pauseAfterRefusalMs, createThrottle } from "../../src/domain/pacing";
import { fc } from "../helpers/properties";

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe("a pause", () => {
  it("doubles from half a second to a minute, and half of it is random", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), chance, (failures, by) => {
        const fullMs = Math.min(60_000, 500 * 2 ** (failures - 1));
        expect(backoffMs(failures, by)).toBeGreaterThanOrEqual(fullMs / 2);
        expect(backoffMs(failures, by)).toBeLessThanOrEqual(fullMs);
      }),
    );
    expect([backoffMs(3, 0), backoffMs(3, 0.5)]).toEqual([1_000, 1_500]);
  });

  it.each([
    [0, 1, 250],
    [null, 3, 1_000],
    [7_000, 1, 7_000],
    [7_000, 9, 30_000],
    [60_000, 1, 60_000],
    [61_000, 1, 60_000],
    [86_400_000, 1, 60_000],
  ])("after a 429 that asks for %p ms, the %ith in a row, is at least %i ms", (asked, refusals, leastMs) => {
    expect(pauseAfterRefusalMs(refusals, asked, 0)).toBe(leastMs);
  });
});

describe("a pace", () => {
  it("recovers exactly at the predicted time", () => {
    const cases = fc.record({
      limit: fc.integer({ min: 1, max: 900 }),
      refusals: fc.array(fc.record({ afterMs: fc.nat(90_000), used: fc.nat(900) }), { maxLength: 5 }),
      calls: fc.integer({ min: 1, max: 900 }),
      isEdit: fc.boolean(),
    });
    fc.assert(
      fc.property(cases, ({ limit, refusals, calls, isEdit }) => {
        const throttle = createThrottle(limit, () => 0);
        let nowMs = 1_000_000;
        for (const { afterMs, used } of refusals) {
          nowMs += afterMs;
          throttle.refused({ nowMs, sentAtMs: nowMs, used, retryAfterMs: null });
        }
        expect(throttle.allowance(isEdit, nowMs)).toBeGreaterThanOrEqual(1);
        expect(throttle.allowance(isEdit, nowMs + 3_600_000)).toBe(
          createThrottle(limit, () => 0).allowance(isEdit, 0),
        );
        const atMs = Math.max(nowMs, throttle.allowsAtMs(calls, isEdit));
        if (atMs === Infinity) {
          expect(throttle.allowance(isEdit, nowMs + 3_600_000)).toBeLessThan(calls);
          return;
        }
        expect(throttle.allowance(isEdit, atMs)).toBeGreaterThanOrEqual(calls);
        if (atMs > nowMs) expect(throttle.allowance(isEdit, atMs - 2)).toBeLessThan(calls);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is lowered once by requests with the same refusal, which pause for the longest time", () => {
    const throttle = createThrottle(100, () => 0);
    for (const retryAfterMs of [null, 2_000, 9_000, 1_000]) {
      throttle.refused({ nowMs: 5_000, sentAtMs: 4_000, used: 50, retryAfterMs });
    }
    expect(throttle.allowance(true, 5_000)).toBe(40);
    expect(throttle.pausedUntilMs()).toBe(14_000);
    expect(throttle.triesOne()).toBe(true);
    throttle.succeeded();
    expect(throttle.triesOne()).toBe(false);
    expect(longestPauseMs).toBe(60_000);
  });
});
