/** Settled cells are calculated many at a time, and never during a running calculation. */
import type { CellPlace } from "../../../src/browser-workbook/functions/cell-values";
import { createRecalculation } from "../../../src/browser-workbook/functions/recalculation";

function setUp() {
  let nowMs = 0;
  let lastTimer = 0;
  let timers: { readonly id: number; readonly atMs: number; readonly callback: () => void }[] = [];
  const started: number[][] = [];
  const calls = { underWay: 0 };
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
    awaitsMore: () => calls.underWay > 0,
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

test("cells that settle within 10 ms are one calculation, each of them once", () => {
  const { recalculation, started, advance } = setUp();
  for (const row of [1, 2, 1]) recalculation.request(cell(row));
  advance(9);
  recalculation.request(cell(3));
  expect(started).toEqual([]);
  advance(1);
  expect(started).toEqual([[1, 2, 3]]);
});

test("cells that settle while the grid calculates wait for its end", () => {
  const { recalculation, started, advance } = setUp();
  recalculation.calculationStarted();
  recalculation.request(cell(1));
  advance(1000);
  expect(started).toEqual([]);
  recalculation.calculationEnded();
  advance(250);
  expect(started).toEqual([[1]]);
});

test("a calculation that begins before the wait is over is not disturbed", () => {
  const { recalculation, started, advance } = setUp();
  recalculation.request(cell(1));
  recalculation.calculationStarted();
  advance(10);
  expect(started).toEqual([]);
  recalculation.calculationEnded();
  advance(10);
  expect(started).toEqual([[1]]);
});

test("while calls are under way, three times as long as a calculation takes is left to them", () => {
  const { recalculation, started, advance, calculate, calls } = setUp();
  calculate([cell(1)], 100);
  calls.underWay = 2;
  recalculation.request(cell(2));
  advance(299);
  expect(started).toEqual([[1]]);
  advance(1);
  expect(started).toEqual([[1], [2]]);
});

test("values are shown once a second, however long a calculation takes", () => {
  const { recalculation, started, advance, calculate, calls } = setUp();
  calculate([cell(1)], 60_000);
  calls.underWay = 2;
  recalculation.request(cell(2));
  advance(1_000);
  expect(started).toEqual([[1], [2]]);
});

test("the last answer waits for nothing, and takes along those that waited for more", () => {
  const { recalculation, started, advance, calculate, calls } = setUp();
  calculate([cell(1)], 1_000);
  calls.underWay = 1;
  recalculation.request(cell(2));
  advance(100);
  calls.underWay = 0;
  recalculation.request(cell(3));
  advance(9);
  expect(started).toEqual([[1]]);
  advance(1);
  expect(started).toEqual([[1], [2, 3]]);
  recalculation.calculationEnded();
  advance(60_000);
  expect(started).toHaveLength(2);
});

test("the grid's own calculation, which makes the calls, does not delay the first values", () => {
  const { recalculation, started, advance, calls } = setUp();
  recalculation.calculationStarted();
  advance(5_000);
  recalculation.calculationEnded();
  calls.underWay = 1;
  recalculation.request(cell(1));
  advance(10);
  expect(started).toEqual([[1]]);
});

test("it is busy from the first request to the end of the last calculation", () => {
  const { recalculation, advance } = setUp();
  expect(recalculation.busy).toBe(false);
  recalculation.request(cell(1));
  expect(recalculation.busy).toBe(true);
  advance(10);
  expect(recalculation.busy).toBe(true);
  recalculation.calculationEnded();
  expect(recalculation.busy).toBe(false);
});
