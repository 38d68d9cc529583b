/** Notices of changes: at most ten a second, one after the last change, and no timer when nobody listens. */
import { createChangeNotices } from "../../src/domain/notices";
import type { TimerId } from "../../src/engine/clock";
import { createVirtualClock } from "../helpers/virtual-clock";

function setUp() {
  const clock = createVirtualClock();
  const running = new Set<TimerId>();
  const notices = createChangeNotices({
    ...clock,
    setTimeout(callback, waitMs) {
      const timer = clock.setTimeout(() => {
        running.delete(timer);
        callback();
      }, waitMs);
      running.add(timer);
      return timer;
    },
    clearTimeout(timer) {
      running.delete(timer);
      clock.clearTimeout(timer);
    },
  });
  return { clock, notices, running };
}

describe("notices of changes", () => {
  it("come about ten times a second, and once after the last change", async () => {
    const { clock, notices, running } = setUp();
    let count = 0;
    notices.subscribe(() => count++);
    for (let change = 0; change < 1000; change++) {
      notices.changed();
      await clock.advance(1);
    }
    expect(count).toBeGreaterThanOrEqual(9);
    expect(count).toBeLessThanOrEqual(10);
    await clock.advance(1000);
    expect(count).toBeLessThanOrEqual(11);
    expect(running.size).toBe(0);
  });

  it("leave no timer after the last listener, and start again for a new one", async () => {
    const { clock, notices, running } = setUp();
    const calls: string[] = [];
    const stopFirst = notices.subscribe(() => calls.push("first"));
    const stopSecond = notices.subscribe(() => calls.push("second"));
    notices.changed();
    stopFirst();
    expect(running.size).toBe(1);
    stopSecond();
    expect(running.size).toBe(0);
    notices.changed();
    expect(running.size).toBe(0);
    notices.subscribe(() => calls.push("third"));
    await clock.advance(1000);
    expect(calls).toEqual([]);
    notices.changed();
    await clock.advance(100);
    expect(calls).toEqual(["third"]);
  });

  it("reach every listener, also if earlier ones throw", async () => {
    const { clock, notices } = setUp();
    const calls: string[] = [];
    notices.subscribe(() => calls.push("first"));
    notices.subscribe(() => {
      throw new Error("a listener's own");
    });
    notices.subscribe(() => calls.push("third"));
    notices.changed();
    await expect(clock.advance(100)).rejects.toThrow("a listener's own");
    expect(calls).toEqual(["first", "third"]);
    notices.changed();
    await expect(clock.advance(100)).rejects.toThrow("a listener's own");
    expect(calls).toEqual(["first", "third", "first", "third"]);
  });

  it("don't reach a listener that another has just removed", async () => {
    const { clock, notices } = setUp();
    const calls: string[] = [];
    let stopSecond = (): void => undefined;
    notices.subscribe(() => stopSecond());
    stopSecond = notices.subscribe(() => calls.push("second"));
    notices.changed();
    await clock.advance(100);
    expect(calls).toEqual([]);
  });
});
