/** Automatic refresh: on when asked, one at a time, silent while nothing can be asked. */
import { startAutoRefresh } from "../../src/addin/auto-refresh";
import { createObservable } from "../../src/domain/notices";
import type { Refresher } from "../../src/workbook/refresh/refresh";
import { createVirtualClock } from "../helpers/virtual-clock";

const minute = 60_000;

function setUp() {
  const clock = createVirtualClock();
  const minutes = createObservable(0);
  const started: string[] = [];
  const state = { phase: "idle", connected: true, open: true };
  const refresher = {
    start: async (scope: string) => void started.push(scope),
    get state() {
      return { phase: state.phase };
    },
  } as unknown as Refresher;
  const { stop, next } = startAutoRefresh({
    clock,
    minutes,
    refresher: () => (state.open ? refresher : null),
    connected: () => state.connected,
  });
  return { clock, minutes, started, state, stop, next };
}

describe("automatic refresh", () => {
  it("is off at first, and refreshes the workbook regularly once it is on", async () => {
    const { clock, minutes, started } = setUp();
    await clock.advance(60 * minute);
    expect(started).toEqual([]);
    minutes.set(10);
    await clock.advance(31 * minute);
    expect(started).toEqual(["workbook", "workbook", "workbook"]);
  });

  it.each(["finding", "running"])(
    "skips a turn while a refresh is %s, and does not make up for it",
    async (phase) => {
      const { clock, minutes, started, state } = setUp();
      minutes.set(5);
      state.phase = phase;
      await clock.advance(16 * minute);
      state.phase = "done";
      await clock.advance(3 * minute);
      expect(started).toEqual([]);
      await clock.advance(minute);
      expect(started).toEqual(["workbook"]);
    },
  );

  it("skips its turn while INV isn't connected or no workbook is open", async () => {
    const { clock, minutes, started, state } = setUp();
    minutes.set(5);
    state.connected = false;
    await clock.advance(6 * minute);
    state.connected = true;
    state.open = false;
    await clock.advance(5 * minute);
    expect(started).toEqual([]);
  });

  it.each([
    ["at once after the computer slept and its timers with it", 8 * 60, 1],
    ["in time although the system clock was set back", -2 * 60, 5],
  ])("refreshes once, %s", async (_title, setByMinutes, withinMinutes) => {
    const { clock, minutes, started, next } = setUp();
    minutes.set(60);
    await clock.advance(55 * minute);
    clock.setSystem(setByMinutes * minute);
    await clock.advance(withinMinutes * minute);
    expect(started).toEqual(["workbook"]);
    const inMs = next.get()! - clock.now();
    expect(inMs).toBeGreaterThan(59 * minute);
    expect(inMs).toBeLessThanOrEqual(60 * minute);
    await clock.advance(58 * minute);
    expect(started).toHaveLength(1);
  });

  it("follows a change of its setting, and ends when turned off or stopped", async () => {
    const { clock, minutes, started, stop } = setUp();
    minutes.set(60);
    minutes.set(5);
    await clock.advance(5 * minute);
    minutes.set(0);
    await clock.advance(60 * minute);
    expect(started).toHaveLength(1);
    minutes.set(5);
    stop();
    await clock.advance(60 * minute);
    expect(started).toHaveLength(1);
  });

  it("says when the next turn comes", async () => {
    const { clock, minutes, next, stop } = setUp();
    expect(next.get()).toBeNull();
    minutes.set(5);
    expect(next.get()).toBe(clock.now() + 5 * minute);
    await clock.advance(6 * minute);
    expect(next.get()).toBe(clock.now() + 4 * minute);
    stop();
    expect(next.get()).toBeNull();
  });
});
