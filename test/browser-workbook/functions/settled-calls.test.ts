/** The table between a synchronous grid and functions that answer later. */
import type { CallResult, CellPlace } from "../../../src/browser-workbook/functions/cell-values";
import { createSettledCalls } from "../../../src/browser-workbook/functions/settled-calls";

const a1: CellPlace = { sheetId: "s", row: 0, col: 0 };

function setUp() {
  const table = createSettledCalls();
  const settled: CellPlace[] = [];
  table.onSettled((place) => settled.push(place));
  const started: { key: string; end: (value: number) => void }[] = [];
  function evaluate(place: CellPlace, key: string): CallResult | null {
    const start = () =>
      new Promise<CallResult>((resolve) => {
        started.push({ key, end: (value) => resolve({ kind: "value", value }) });
      });
    return table.evaluate({ place, key, start });
  }
  function pass(work: () => void): void {
    table.beginPass();
    work();
    table.endPass();
  }
  async function ends(call: number, value: number): Promise<void> {
    started[call]?.end(value);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { table, settled, started, ends, evaluate, pass };
}

test.each([1, 100, 10_000])("makes all calls of %i cells in one calculation", (cells) => {
  const { table, started, evaluate, pass } = setUp();
  pass(() => {
    for (let row = 0; row < cells; row += 1) expect(evaluate({ ...a1, row }, `${row}`)).toBeNull();
  });
  expect(started).toHaveLength(cells);
  expect(table.pendingCalls).toBe(cells);
});

test("reports a settled call once and doesn't repeat it", async () => {
  const { settled, started, evaluate, pass, ends } = setUp();
  pass(() => evaluate(a1, "x"));
  await ends(0, 5);
  expect(settled).toEqual([a1]);
  pass(() => expect(evaluate(a1, "x")).toEqual({ kind: "value", value: 5 }));
  expect(started).toHaveLength(1);
});

test("makes each of a formula's two calls once", async () => {
  const { table, started, evaluate, pass, ends } = setUp();
  const formula = () => [evaluate(a1, "x"), evaluate(a1, "y")];
  pass(formula);
  await ends(0, 1);
  pass(() => expect(formula()).toEqual([{ kind: "value", value: 1 }, null]));
  expect(table.pendingCalls).toBe(1);
  await ends(1, 2);
  pass(() => expect(formula()).not.toContain(null));
  expect(started).toHaveLength(2);
});

test("drops a call that a formula no longer makes, and ignores its answer", async () => {
  const { table, settled, started, evaluate, pass, ends } = setUp();
  pass(() => evaluate(a1, "old"));
  pass(() => evaluate(a1, "new"));
  expect(table.pendingCalls).toBe(1);
  await ends(0, 1);
  expect(settled).toEqual([]);
  pass(() => evaluate(a1, "old"));
  expect(started.map(({ key }) => key)).toEqual(["old", "new", "old"]);
});

test("repeats a renewed cell's calls and keeps its value until the answer", async () => {
  const { table, settled, started, evaluate, pass, ends } = setUp();
  pass(() => evaluate(a1, "x"));
  await ends(0, 1);
  expect(table.renew(a1)).toBe(true);
  expect(started).toHaveLength(2);
  pass(() => expect(evaluate(a1, "x")).toEqual({ kind: "value", value: 1 }));
  expect(table.pendingCalls).toBe(1);
  await ends(1, 2);
  expect(settled).toEqual([a1, a1]);
  pass(() => expect(evaluate(a1, "x")).toEqual({ kind: "value", value: 2 }));
  expect(table.pendingCalls).toBe(0);
  expect(started).toHaveLength(2);
});

test("doesn't renew a cell without calls", () => {
  const { table, evaluate, pass } = setUp();
  expect(table.renew(a1)).toBe(false);
  pass(() => evaluate(a1, "x"));
  table.forget(a1);
  expect(table.renew(a1)).toBe(false);
});

test("notices a renewed formula's new call at the next evaluation", async () => {
  const { table, started, evaluate, pass, ends } = setUp();
  pass(() => evaluate(a1, "yesterday"));
  await ends(0, 1);
  table.renew(a1);
  await ends(1, 2);
  pass(() => expect(evaluate(a1, "today")).toBeNull());
  expect(started.map(({ key }) => key)).toEqual(["yesterday", "yesterday", "today"]);
});

test("ignores the answer to a call that was renewed meanwhile", async () => {
  const { table, settled, evaluate, pass, ends } = setUp();
  pass(() => evaluate(a1, "x"));
  table.renew(a1);
  await ends(0, 1);
  expect(settled).toEqual([]);
  await ends(1, 2);
  pass(() => expect(evaluate(a1, "x")).toEqual({ kind: "value", value: 2 }));
});

test("forgets an edited cell, and all cells of a removed sheet", async () => {
  const { table, evaluate, pass, ends } = setUp();
  pass(() => evaluate(a1, "x"));
  await ends(0, 1);
  table.forget(a1);
  pass(() => expect(evaluate(a1, "x")).toBeNull());
  table.forgetSheet("s");
  expect(table.pendingCalls).toBe(0);
  expect(table.results(a1)).toEqual([]);
});
