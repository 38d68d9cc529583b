/** Automatic refresh: on when asked, one at a time, silent while nothing can be asked. */
import { startAutoRefresh } from "../../src/addin/auto-refresh";
import { createDeviceSettings } from "../../src/connection/device-settings";
import type { Refresher } from "../../src/workbook/refresh/refresh";
import { createVirtualClock } from "../helpers/virtual-clock";

const minute = 60_000;

function setUp() {
  const clock = createVirtualClock();
  const settings = createDeviceSettings({ storage: null, partition: "" });
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
    settings,
    refresher: () => (state.open ? refresher : null),
    connected: () => state.connected,
  });
  return { clock, settings, started, state, stop, next };
}

describe("automatic refresh", () => {
  it("is off until it is turned on, then refreshes the workbook at every turn", async () => {
    const { clock, settings, started } = setUp();
    await clock.advance(60 * minute);
    expect(started).toEqual([]);
    settings.change({ autoRefreshMinutes: 10 });
    await clock.advance(31 * minute);
    expect(started).toEqual(["workbook", "workbook", "workbook"]);
  });

  it.each(["finding", "asking", "running"])(
    "skips a turn while a refresh is %s, and does not make up for it",
    async (phase) => {
      const { clock, settings, started, state } = setUp();
      settings.change({ autoRefreshMinutes: 5 });
      state.phase = phase;
      await clock.advance(16 * minute);
      state.phase = "done";
      await clock.advance(3 * minute);
      expect(started).toEqual([]);
      await clock.advance(minute);
      expect(started).toEqual(["workbook"]);
    },
  );

  it("skips turns while not connected, and while no workbook is open", async () => {
    const { clock, settings, started, state } = setUp();
    settings.change({ autoRefreshMinutes: 5 });
    state.connected = false;
    await clock.advance(6 * minute);
    state.connected = true;
    state.open = false;
    await clock.advance(5 * minute);
    expect(started).toEqual([]);
  });

  it("follows a change of its setting, and ends when turned off or stopped", async () => {
    const { clock, settings, started, stop } = setUp();
    settings.change({ autoRefreshMinutes: 60 });
    settings.change({ autoRefreshMinutes: 5 });
    await clock.advance(5 * minute);
    settings.change({ autoRefreshMinutes: 0 });
    await clock.advance(60 * minute);
    expect(started).toHaveLength(1);
    settings.change({ autoRefreshMinutes: 5 });
    stop();
    await clock.advance(60 * minute);
    expect(started).toHaveLength(1);
  });

  it("says when the next turn comes", async () => {
    const { clock, settings, next, stop } = setUp();
    expect(next.get()).toBeNull();
    settings.change({ autoRefreshMinutes: 5 });
    expect(next.get()).toBe(clock.now() + 5 * minute);
    await clock.advance(6 * minute);
    expect(next.get()).toBe(clock.now() + 4 * minute);
    stop();
    expect(next.get()).toBeNull();
  });
});
