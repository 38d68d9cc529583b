/** Settled cells are calculated many together, and never into a running calculation. */
import type { CellPlace } from "../../../src/playground/functions/cell-values";
import { createRecalculation } from "../../../src/playground/functions/recalculation";

function setUp() {
  let nowMs = 0;
  let timers: { readonly atMs: number; readonly callback: () => void }[] = [];
  const started: number[][] = [];
  const recalculation = createRecalculation({
    start(places) {
      started.push(places.map(({ row }) => row));
      recalculation.calculationStarted();
    },
    now: () => nowMs,
    setTimeout: (callback, waitMs) => timers.push({ atMs: nowMs + waitMs, callback }),
  });
  function advance(byMs: number): void {
    nowMs += byMs;
    const due = timers.filter(({ atMs }) => atMs <= nowMs);
    timers = timers.filter(({ atMs }) => atMs > nowMs);
    for (const { callback } of due) callback();
  }
  return { recalculation, started, advance };
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
  recalculation.calculationEnded("completed");
  advance(250);
  expect(started).toEqual([[1]]);
});

test("a calculation that begins before the wait is over is not disturbed", () => {
  const { recalculation, started, advance } = setUp();
  recalculation.request(cell(1));
  recalculation.calculationStarted();
  advance(10);
  expect(started).toEqual([]);
  recalculation.calculationEnded("completed");
  advance(10);
  expect(started).toEqual([[1]]);
});

test("cells of a stopped calculation are calculated again", () => {
  const { recalculation, started, advance } = setUp();
  recalculation.request(cell(1));
  advance(10);
  recalculation.request(cell(2));
  recalculation.calculationEnded("stopped");
  advance(10);
  expect(started).toEqual([[1], [2, 1]]);
});

test("after a long calculation larger waves are gathered, but never for longer than 250 ms", () => {
  const { recalculation, started, advance } = setUp();
  recalculation.calculationStarted();
  advance(100);
  recalculation.calculationEnded("completed");
  recalculation.request(cell(1));
  advance(49);
  expect(started).toEqual([]);
  advance(1);
  expect(started).toEqual([[1]]);
  advance(60_000);
  recalculation.calculationEnded("completed");
  recalculation.request(cell(2));
  advance(250);
  expect(started).toEqual([[1], [2]]);
});

test("it is busy from the first request to the end of the last calculation", () => {
  const { recalculation, advance } = setUp();
  expect(recalculation.busy).toBe(false);
  recalculation.request(cell(1));
  expect(recalculation.busy).toBe(true);
  advance(10);
  expect(recalculation.busy).toBe(true);
  recalculation.calculationEnded("completed");
  expect(recalculation.busy).toBe(false);
});
