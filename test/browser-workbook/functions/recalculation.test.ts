/** Settled cells are calculated many at a time, and never during a running calculation. */
import type { CellPlace } from "../../../src/browser-workbook/functions/cell-values";
import { createRecalculation } from "../../../src/browser-workbook/functions/recalculation";

function setUp() {
  let nowMs = 0;
  let lastTimer = 0;
  let timers: { readonly id: number; readonly atMs: number; readonly callback: () => void }[] = [];
  const started: number[][] = [];
  const calls = { inProgress: 0 };
  const recalculation = createRecalculation({
    start(places) {
      started.push(places.map(({ row }) => row));
      recalculation.calculationStarted();
    },
    now: () => nowMs,
    setTimeout(callback, waitMs) {
      lastTimer += 1;
      timers.push({ id: lastTimer, atMs: nowMs + waitMs, callback });
      return lastTimer;
    },
    clearTimeout(timer) {
      timers = timers.filter(({ id }) => id !== timer);
    },
    awaitsMore: () => calls.inProgress > 0,
  });
  function advance(byMs: number): void {
    nowMs += byMs;
    const due = timers.filter(({ atMs }) => atMs <= nowMs);
    timers = timers.filter(({ atMs }) => atMs > nowMs);
    for (const { callback } of due) callback();
  }
  /** Calculates these cells once, as the grid does, in `durationMs`. */
  function calculate(places: readonly CellPlace[], durationMs: number): void {
    for (const place of places) recalculation.request(place);
    advance(10);
    advance(durationMs);
    recalculation.calculationEnded();
  }
  return { recalculation, started, advance, calculate, calls };
}

const cell = (row: number): CellPlace => ({ sheetId: "s", row, col: 0 });

test("calculates cells that settle within 10 ms together", () => {
  const { recalculation, started, advance } = setUp();
  for (const row of [1, 2, 1]) recalculation.request(cell(row));
  advance(9);
  recalculation.request(cell(3));
  expect(started).toEqual([]);
  advance(1);
  expect(started).toEqual([[1, 2, 3]]);
});

test("waits for the end of a running calculation", () => {
  const { recalculation, started, advance } = setUp();
  recalculation.calculationStarted();
  recalculation.request(cell(1));
  advance(1000);
  expect(started).toEqual([]);
  recalculation.calculationEnded();
  advance(250);
  expect(started).toEqual([[1]]);
});

test("doesn't disturb a calculation that starts during the wait", () => {
  const { recalculation, started, advance } = setUp();
  recalculation.request(cell(1));
  recalculation.calculationStarted();
  advance(10);
  expect(started).toEqual([]);
  recalculation.calculationEnded();
  advance(10);
  expect(started).toEqual([[1]]);
});

test("waits three times as long as a calculation takes while calls are open", () => {
  const { recalculation, started, advance, calculate, calls } = setUp();
  calculate([cell(1)], 100);
  calls.inProgress = 2;
  recalculation.request(cell(2));
  advance(299);
  expect(started).toEqual([[1]]);
  advance(1);
  expect(started).toEqual([[1], [2]]);
});

test("shows values at least once a second", () => {
  const { recalculation, started, advance, calculate, calls } = setUp();
  calculate([cell(1)], 60_000);
  calls.inProgress = 2;
  recalculation.request(cell(2));
  advance(1_000);
  expect(started).toEqual([[1], [2]]);
});

test("shows the last answer at once, together with the answers that waited", () => {
  const { recalculation, started, advance, calculate, calls } = setUp();
  calculate([cell(1)], 1_000);
  calls.inProgress = 1;
  recalculation.request(cell(2));
  advance(100);
  calls.inProgress = 0;
  recalculation.request(cell(3));
  advance(9);
  expect(started).toEqual([[1]]);
  advance(1);
  expect(started).toEqual([[1], [2, 3]]);
  recalculation.calculationEnded();
  advance(60_000);
  expect(started).toHaveLength(2);
});

test("doesn't delay the first values by the duration of the grid's own calculation", () => {
  const { recalculation, started, advance, calls } = setUp();
  recalculation.calculationStarted();
  advance(5_000);
  recalculation.calculationEnded();
  calls.inProgress = 1;
  recalculation.request(cell(1));
  advance(10);
  expect(started).toEqual([[1]]);
});

test("is busy from the first request to the end of the last calculation", () => {
  const { recalculation, advance } = setUp();
  expect(recalculation.busy).toBe(false);
  recalculation.request(cell(1));
  expect(recalculation.busy).toBe(true);
  advance(10);
  expect(recalculation.busy).toBe(true);
  recalculation.calculationEnded();
  expect(recalculation.busy).toBe(false);
});
