/** Notices of changes: seldom, always after the last one, and without a timer left behind. */
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
    let told = 0;
    notices.subscribe(() => told++);
    for (let change = 0; change < 1000; change++) {
      notices.changed();
      await clock.advance(1);
    }
    expect(told).toBeGreaterThanOrEqual(9);
    expect(told).toBeLessThanOrEqual(10);
    await clock.advance(1000);
    expect(told).toBeLessThanOrEqual(11);
    expect(running.size).toBe(0);
  });

  it("leave no timer after the last listener, and start again for a new one", async () => {
    const { clock, notices, running } = setUp();
    const told: string[] = [];
    const stopFirst = notices.subscribe(() => told.push("first"));
    const stopSecond = notices.subscribe(() => told.push("second"));
    notices.changed();
    stopFirst();
    expect(running.size).toBe(1);
    stopSecond();
    expect(running.size).toBe(0);
    notices.changed();
    expect(running.size).toBe(0);
    notices.subscribe(() => told.push("third"));
    await clock.advance(1000);
    expect(told).toEqual([]);
    notices.changed();
    await clock.advance(100);
    expect(told).toEqual(["third"]);
  });

  it("reach every listener, also if earlier ones throw", async () => {
    const { clock, notices } = setUp();
    const told: string[] = [];
    notices.subscribe(() => told.push("first"));
    notices.subscribe(() => {
      throw new Error("a listener's own");
    });
    notices.subscribe(() => told.push("third"));
    notices.changed();
    await expect(clock.advance(100)).rejects.toThrow("a listener's own");
    expect(told).toEqual(["first", "third"]);
    notices.changed();
    await expect(clock.advance(100)).rejects.toThrow("a listener's own");
    expect(told).toEqual(["first", "third", "first", "third"]);
  });

  it("don't reach a listener that another has just removed", async () => {
    const { clock, notices } = setUp();
    const told: string[] = [];
    let stopSecond = (): void => undefined;
    notices.subscribe(() => stopSecond());
    stopSecond = notices.subscribe(() => told.push("second"));
    notices.changed();
    await clock.advance(100);
    expect(told).toEqual([]);
  });
});
