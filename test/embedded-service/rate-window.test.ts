/** The sliding window behind the service's quota. */
import { fc } from "../helpers/properties";
import { createRateWindow } from "../../src/embedded-service/rate-window";

describe("the rate window", () => {
  it("accepts the limit at once, then says how long to wait", () => {
    const window = createRateWindow(600);
    for (let call = 0; call < 600; call += 1) expect(window.take("a", 1000)).toBe(0);
    expect(window.take("a", 1000)).toBe(60_000);
    expect(window.take("a", 60_999)).toBe(1);
    expect(window.take("a", 61_000)).toBe(0);
  });

  it("slides: requests expire one by one, not after a full minute", () => {
    const window = createRateWindow(2);
    expect(window.take("a", 0)).toBe(0);
    expect(window.take("a", 59_000)).toBe(0);
    expect(window.take("a", 60_000)).toBe(0);
    // A fixed minute would have started again.
    expect(window.take("a", 60_001)).toBe(58_999);
  });

  it("accepts requests again within a minute after the system's clock was set back", () => {
    const window = createRateWindow(1);
    expect(window.take("a", 3_600_000)).toBe(0);
    expect(window.take("a", 0)).toBe(60_000);
    expect(window.take("a", 60_000)).toBe(0);
  });

  it("keeps keys apart", () => {
    const window = createRateWindow(1);
    expect(window.take("a", 0)).toBe(0);
    expect(window.take("b", 0)).toBe(0);
    expect(window.take("a", 0)).toBeGreaterThan(0);
  });

  it("never accepts more than the limit in any 60 seconds, and never refuses below it", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 9000 }), { maxLength: 200 }),
        (limit, gapsMs) => {
          const window = createRateWindow(limit);
          const acceptedAtMs: number[] = [];
          let nowMs = 0;
          for (const gapMs of gapsMs) {
            nowMs += gapMs;
            const inWindow = acceptedAtMs.filter((atMs) => atMs > nowMs - 60_000).length;
            const isAccepted = window.take("a", nowMs) === 0;
            expect(isAccepted).toBe(inWindow < limit);
            if (isAccepted) acceptedAtMs.push(nowMs);
          }
        },
      ),
    );
  });
});
