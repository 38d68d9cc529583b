/** Time left and pauses, in words. */
import { pauseWords, timeLeftWords } from "../../../src/taskpane/refresh/time-left";
import type { RefreshState } from "../../../src/workbook/refresh/refresh";

const nowMs = 1_000_000;
const open = { used: 11, limit: 600, resumesAtMs: null };

function running(cells: number, refreshed: number, sinceMs: number): RefreshState {
  return {
    phase: "running",
    scope: "workbook",
    isAutomatic: false,
    cells,
    refreshed,
    error: null,
    unrefreshed: [],
    uncalled: [],
    startedAtMs: nowMs - sinceMs,
    endedAtMs: null,
  };
}

describe("a pause", () => {
  it("names the cause: INV's count is full, the service refused before, or the server doesn't know", () => {
    const until = nowMs + 12_000;
    expect(pauseWords({ search: open, events: open }, nowMs)).toBeNull();
    expect(pauseWords({ search: { used: 580, limit: 600, resumesAtMs: until }, events: open }, nowMs)).toBe(
      "Continues in 12 s: this minute's quota is used up.",
    );
    expect(pauseWords({ search: open, events: { ...open, resumesAtMs: until } }, nowMs)).toBe(
      "Continues in 12 s: the service asked INV to wait. Colleagues may be using the quota.",
    );
    const waiting = { ...open, resumesAtMs: until, awaitsSharedStore: true };
    expect(pauseWords({ search: waiting, events: open }, nowMs)).toBe(
      "Continues in 12 s: your team's server waits for Redis.",
    );
  });

  it("that has ended doesn't count", () => {
    expect(pauseWords({ search: { ...open, resumesAtMs: nowMs }, events: open }, nowMs)).toBeNull();
  });
});

describe("the time left", () => {
  it("of a refresh counts in how fast the host calculates its cells", () => {
    expect(timeLeftWords({ remainingMs: 1_000 }, running(1_000, 250, 4_000), nowMs)).toBe("about 12 s left");
  });

  it("is the engine's estimate if requests take longer, and until enough cells have settled", () => {
    expect(timeLeftWords({ remainingMs: 30_000 }, running(1_000, 250, 4_000), nowMs)).toBe("about 30 s left");
    expect(timeLeftWords({ remainingMs: 3_000 }, running(1_000, 5, 4_000), nowMs)).toBe("about 3 s left");
  });

  it("is unknown while the service is in doubt", () => {
    expect(timeLeftWords({ remainingMs: null }, running(1_000, 250, 4_000), nowMs)).toMatch(/unknown/);
  });
});
