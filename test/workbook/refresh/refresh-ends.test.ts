/**
 * How a refresh ends: each of its cells is refreshed, or it is in the list of those that are left, with the reason, whether or not this
 * session knew the cell.
 */
import { cellKey } from "../../../src/workbook/addresses";
import { withHost } from "../../functions/fakes";
import { at, counting, expected, gtin, minuteMs, openPlan, valueOf, values } from "./plan-bed";
import type { CellRef } from "../../../src/workbook/port";
import type { RefreshBed } from "./refresh-bed";

withHost();

test.each([
  ["calculated", (bed: RefreshBed) => bed],
  ["reloaded", (bed: RefreshBed) => bed.reload()],
])(
  "without a connection, a workbook that was %s keeps its numbers, and each cell has the reason",
  async (_, prepare) => {
    const opened = await openPlan(60);
    opened.put(at(60, 3), '=INV.QTY(A1,TEXT(B1,"0"))');
    const bed = prepare(opened);
    bed.engine.connect({ environment: bed.service.connection.environment, credentials: null });
    await bed.clock.until(bed.refresher.start("workbook"));
    const { unrefreshed, ...state } = bed.refresher.state;
    expect(state).toMatchObject({
      phase: "failed",
      cells: 61,
      refreshed: 0,
      error: { code: "not-connected" },
    });
    expect(unrefreshed.map(({ because }) => because.code)).toEqual(unrefreshed.map(() => "not-connected"));
    expect(unrefreshed).toHaveLength(61);
    expect(bed.workbook.recalculated).toEqual([]);
    expect(values(bed, 60)).toEqual(expected(60, 0));
  },
);

test("after a cancel, every cell without its new value is listed, whether or not this session knew it", async () => {
  const bed = (await openPlan(2_000)).reload();
  bed.service.latencyMs = 400;
  void bed.refresher.start("workbook");
  await bed.clock.advance(1_500);
  bed.refresher.cancel();
  await bed.clock.advance(1_000);
  const { phase, refreshed, cells, unrefreshed } = bed.refresher.state;
  expect({ phase, cells }).toEqual({ phase: "cancelled", cells: 2_000 });
  expect(refreshed).toBeGreaterThan(0);
  const listed = new Set(unrefreshed.map(({ cell }) => cell.row));
  expect(listed.size).toBe(2_000 - refreshed);
  values(bed, 2_000).forEach((value, row) => {
    if (!listed.has(row)) expect(value).toBe(valueOf(row, 1));
  });
  // The others have their answer, but it isn't in the sheet.
  const hasAnswer = (row: number) =>
    bed.engine.hasNewAnswer({
      storeNumber: 100 + Math.floor(row / 50),
      itemType: "gtin",
      value: gtin(row + 1),
    });
  expect(bed.cells.stale()).toHaveLength([...listed].filter((row) => !hasAnswer(row)).length);
  expect(bed.cells.stale().length).toBeGreaterThan(0);
});

test("a sheet that can't be marked is left with the host's reason, beside cells without an answer", async () => {
  const opened = await openPlan(100);
  const other = (row: number, col: number) => at(row, col, "Other");
  [0, 1].forEach((row) => opened.put(other(row, 0), 100));
  [0, 1].forEach((row) => opened.put(other(row, 1), gtin(1)));
  opened.put(other(0, 2), "=INV.QTY(A1,B1)");
  opened.put(other(1, 2), '=INV.QTY(A2,TEXT(B2,"0"))');
  opened.calculate([other(0, 2), other(1, 2)]);
  await opened.clock.advance(60 * minuteMs);
  const bed = opened.reload();
  bed.service.script(({ operation, store }) =>
    operation === "search" && store === 101 ? new Response("", { status: 503 }) : undefined,
  );
  const { recalculate } = bed.workbook;
  bed.workbook.recalculate = async (refs, options) => {
    const isLocked = ({ sheet }: { sheet: string }): boolean => sheet === "Other";
    await recalculate(
      refs.filter((ref) => !isLocked(ref)),
      options,
    );
    const areas = refs.filter(isLocked).map((ref) => ({ ...ref, rows: 1, cols: 1 }));
    return areas.length === 0 ? [] : [{ areas, reason: "The sheet is protected." }];
  };
  await bed.clock.until(bed.refresher.start("workbook"));
  const { unrefreshed, ...state } = bed.refresher.state;
  expect(state).toMatchObject({ phase: "failed", cells: 102, refreshed: 50 });
  expect(unrefreshed).toHaveLength(52);
  // In an outage, the second one isn't even marked: nobody knows what it asks for.
  expect(unrefreshed.filter(({ because }) => because.message === "The sheet is protected.")).toMatchObject([
    { cell: { sheet: "Other", row: 0 } },
  ]);
  // Only cells whose queries have no answer are stale. Nobody knows what the formula with computed arguments asks for.
  expect(bed.cells.stale().map(({ because }) => because.code)).toEqual(new Array(50).fill("service-down"));
  // A refresh of the rest asks only for what has no answer, and marks the sheet again.
  bed.workbook.recalculate = recalculate;
  bed.service.script(() => undefined);
  bed.engine.tryAgain();
  await bed.clock.advance(minuteMs);
  const sent = counting(bed);
  await bed.clock.until(bed.refresher.start("rest"));
  expect(bed.refresher.state).toMatchObject({ phase: "done", cells: 102, refreshed: 102, unrefreshed: [] });
  expect(sent().search).toBe(1);
});

test.each([
  ["sheet", { phase: "done", cells: 63, refreshed: 63 }, []],
  ["selection", { phase: "failed", cells: 63, refreshed: 60 }, [60, 61, 62]],
] as const)(
  "unpredictable formulas don't vanish from a refresh of the %s when a row is inserted",
  async (scope, state, listed) => {
    const opened = await openPlan(60);
    for (let row = 60; row < 63; row += 1) {
      opened.put(at(row, 0), 100);
      opened.put(at(row, 1), gtin(1));
      opened.put(at(row), `=INV.QTY(A${row + 1},TEXT(B${row + 1},"0"))`);
    }
    const bed = opened.reload();
    bed.service.latencyMs = 2_000;
    bed.workbook.selection = [{ sheet: "Plan", row: 0, col: 0, rows: 63, cols: 5 }];
    const refreshing = bed.refresher.start(scope);
    await bed.clock.advance(1_000);
    bed.insertRow("Plan", 0);
    await bed.clock.until(refreshing);
    expect(bed.refresher.state).toMatchObject(state);
    const { unrefreshed } = bed.refresher.state;
    expect(unrefreshed.map(({ cell }) => cell.row)).toEqual(listed);
    for (const { because } of unrefreshed) {
      expect(because.message).toContain("couldn't follow it. Refresh again.");
    }
  },
);

/** Three rows of this formula that were calculated an hour ago. */
async function openCalculated(formula: (row: number) => string): Promise<RefreshBed> {
  const bed = await openPlan(3);
  for (let row = 0; row < 3; row += 1) {
    bed.put(at(row, 4), 1);
    bed.put(at(row), formula(row + 1));
  }
  bed.calculate(bed.formulas());
  await bed.clock.advance(60 * minuteMs);
  return bed;
}
/** The same in a workbook that was opened since: only Excel's calculation can tell the queries. */
const openUnpredictable = async (formula: (row: number) => string) =>
  (await openCalculated(formula)).reload();
const computed = (row: number) => `=INV.QTY(A${row},TEXT(B${row},"0"))`;
const skippable = (row: number) => `=IF(E${row}>0,INV.QTY(A${row},B${row}),"")`;

test.each([
  [
    "with computed arguments, though Excel has calculated others",
    computed,
    ({ row }: CellRef) => row === 1,
    [1],
  ],
  ["with an IF, if Excel has calculated nothing at all", skippable, () => true, [0, 1, 2]],
])("formulas %s, stand beside the counts if Excel doesn't call them", async (_, formula, forgets, rows) => {
  const bed = await openUnpredictable(formula);
  bed.forgets = forgets;
  await bed.clock.until(bed.refresher.start("workbook"));
  const { phase, cells, refreshed, unrefreshed, uncalled } = bed.refresher.state;
  expect({ phase, cells, refreshed, unrefreshed }).toEqual({
    ...{ phase: "done", cells: 3, unrefreshed: [] },
    refreshed: 3 - rows.length,
  });
  expect(uncalled.map(({ cell, showsError }) => [cell.row, showsError])).toEqual(
    rows.map((row) => [row, false]),
  );
  // Their numbers are still those of the file.
  await bed.clock.until(bed.refresher.quote("workbook"));
  expect(bed.cells.summary().uncalculated).toBe(rows.length);
});

test("a formula with #NAME? costs no failure, no age, and little time", async () => {
  const opened = await openPlan(60);
  opened.put(at(80), "=INV.QTY(A1,B1)");
  opened.shown.set(cellKey(at(80)), "#NAME?");
  const bed = opened.reload();
  bed.forgets = ({ row }) => row === 80;
  const clickedAtMs = bed.clock.steadyNow();
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(bed.refresher.state).toMatchObject({
    ...{ phase: "done", cells: 61, refreshed: 60, unrefreshed: [], error: null },
    uncalled: [{ cell: { row: 80 }, showsError: true }],
  });
  expect(bed.clock.steadyNow() - clickedAtMs).toBeLessThan(5_000);
  expect(bed.workbook.recalculated.map((refs) => refs.length)).toEqual([61]);
  await bed.clock.until(bed.refresher.quote("workbook"));
  expect(bed.cells.summary().uncalculated).toBe(0);
});

test("formulas with an IF that skips INV count as calculated if Excel has calculated the others", async () => {
  const bed = await openUnpredictable(skippable);
  bed.put(at(1, 4), 0);
  bed.shown.set(cellKey(at(1)), 7);
  bed.forgets = () => false;
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(bed.refresher.state).toMatchObject({ phase: "done", cells: 3, refreshed: 2, unrefreshed: [] });
  expect(bed.refresher.state.uncalled).toMatchObject([{ cell: { row: 1 }, showsError: false }]);
  await bed.clock.until(bed.refresher.quote("workbook"));
  expect(bed.cells.summary().uncalculated).toBe(0);
});

test("after a cancel, cells that Excel hasn't called yet aren't refreshed", async () => {
  const bed = await openUnpredictable(computed);
  bed.callAfterMs = 4_000;
  void bed.refresher.start("workbook");
  // One of them is called first, to see whether the service answers.
  await bed.clock.advance(7_000);
  expect(bed.workbook.recalculated.map((refs) => refs.length)).toEqual([1, 2]);
  bed.refresher.cancel();
  await bed.clock.advance(20_000);
  const { phase, refreshed, unrefreshed } = bed.refresher.state;
  expect({ phase, refreshed, unrefreshed: unrefreshed.length }).toEqual({
    phase: "cancelled",
    refreshed: 1,
    unrefreshed: 2,
  });
});

test.each(["selection", "sheet"] as const)(
  "a %s goes on after a cancel with what was selected at the start",
  async (scope) => {
    const bed = await openPlan(60);
    bed.put(at(0, 2, "Other"), "=INV.QTY(Plan!A1,Plan!B1)");
    bed.workbook.selection = [{ sheet: "Plan", row: 0, col: 0, rows: 30, cols: 5 }];
    void bed.refresher.start(scope);
    await bed.clock.advance(50);
    bed.refresher.cancel();
    bed.workbook.selection = [{ sheet: "Other", row: 0, col: 0, rows: 1, cols: 5 }];
    await bed.clock.until(bed.refresher.start("rest"));
    const cells = scope === "selection" ? 30 : 60;
    expect(bed.refresher.state).toMatchObject({ phase: "done", cells, refreshed: cells });
    expect(values(bed, cells)).toEqual(expected(cells, 1));
    expect(bed.shownAt(at(0, 2, "Other"))).toBeUndefined();
  },
);

test.each([
  ["a number", 4, skippable],
  // Between the edit and its calculation: the host may show the IF's text without a call.
  ["a blank cell", 0, (row: number) => `=IF(A${row}="","",INV.QTY(A${row},B${row}))`],
])(
  "a formula whose IF skips INV since %s was typed is no failure, and its old value doesn't count any more",
  async (_, col, formula) => {
    const bed = await openCalculated(formula);
    if (col === 4) bed.type(at(1, col), 0);
    else {
      bed.put(at(1, col), null);
      bed.shown.set(cellKey(at(1)), "");
    }
    await bed.clock.advance(minuteMs);
    expect(bed.shownAt(at(1))).toBe("");
    bed.forgets = ({ row }) => row === 1;
    const clickedAtMs = bed.clock.now();
    await bed.clock.until(bed.refresher.start("workbook"));
    expect(bed.refresher.state).toMatchObject({ phase: "done", refreshed: 2, unrefreshed: [] });
    expect(bed.refresher.state.uncalled).toMatchObject([{ cell: { row: 1 }, showsError: false }]);
    expect(bed.cells.summary().oldestMs).toBeGreaterThanOrEqual(clickedAtMs);
    expect(bed.shownAt(at(1))).toBe("");
  },
);

test.each([
  ["is marked again if it shows a value", 1, 2],
  ["shows what its IF gives if it isn't called even then", 2, 1],
])("a formula with an IF that Excel doesn't call %s", async (_, times, version) => {
  const bed = await openUnpredictable(skippable);
  bed.service.version += 1;
  let lost = 0;
  bed.forgets = ({ row }) => row === 1 && ++lost <= times;
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(bed.refresher.state).toMatchObject({ phase: "done", refreshed: 4 - times, unrefreshed: [] });
  expect(bed.workbook.recalculated.map((refs) => refs.length)).toEqual([1, 2, 1]);
  expect(bed.shownAt(at(1))).toBe(valueOf(1, version));
});

test("in an outage, an opened workbook keeps also the numbers of formulas that can't be predicted", async () => {
  const opened = await openPlan(6);
  for (const row of [1, 3]) {
    opened.put(at(row, 4), 1);
    opened.put(at(row), row === 1 ? computed(row + 1) : skippable(row + 1));
  }
  opened.service.version -= 1;
  opened.calculate(opened.formulas());
  await opened.clock.advance(60 * minuteMs);
  opened.service.version += 1;
  const before = values(opened, 6);
  const bed = opened.reload();
  bed.service.script(({ operation }) =>
    operation === "search" ? new Response("", { status: 503 }) : undefined,
  );
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(bed.refresher.state).toMatchObject({ phase: "failed", cells: 6, refreshed: 0 });
  expect(bed.refresher.state.unrefreshed.map(({ because }) => because.code)).toEqual(
    new Array(6).fill("service-down"),
  );
  expect([bed.workbook.recalculated, values(bed, 6)]).toEqual([[], before]);
  expect(bed.cells.stale()).toHaveLength(4);

  bed.service.script(() => undefined);
  await bed.clock.advance(minuteMs);
  await bed.clock.until(bed.refresher.start("rest"));
  expect(bed.refresher.state).toMatchObject({ phase: "done", cells: 6, refreshed: 6 });
  expect(values(bed, 6)).toEqual(expected(6, bed.service.version));
});

const refuseSearch = async (bed: RefreshBed): Promise<void> => {
  const { findFormulas } = bed.workbook;
  bed.workbook.findFormulas = () => Promise.reject(new Error("A cell is being edited."));
  await bed.clock.until(bed.refresher.start("workbook"));
  bed.workbook.findFormulas = findFormulas;
};
const cancelAfter = async (bed: RefreshBed, afterMs: number): Promise<void> => {
  void bed.refresher.start("workbook");
  if (afterMs > 0) await bed.clock.advance(afterMs);
  bed.refresher.cancel();
  await bed.clock.advance(10_000);
};

test.each([
  ["was cancelled at once", (bed: RefreshBed) => cancelAfter(bed, 0)],
  ["couldn't search the workbook", refuseSearch],
  [
    "was cancelled while it read what cells show",
    (bed: RefreshBed) => {
      holdReads(bed, () => true);
      return cancelAfter(bed, 500);
    },
  ],
])("the rest of a refresh that %s asks, and takes nothing from the refresh before", async (_, endEarly) => {
  const bed = await openPlan(60);
  await bed.clock.until(bed.refresher.start("workbook"));
  await bed.clock.advance(10 * minuteMs);
  bed.service.version += 1;
  await endEarly(bed);
  expect(bed.refresher.state).toMatchObject({ refreshed: 0 });
  const sent = counting(bed);
  await bed.clock.until(bed.refresher.start("rest"));
  expect(bed.refresher.state).toMatchObject({ phase: "done", cells: 60, refreshed: 60 });
  expect(sent().search).toBe(2);
  expect(values(bed, 60)).toEqual(expected(60, 2));
});

/** While this holds, Excel takes two seconds to show what cells contain. */
function holdReads(bed: RefreshBed, isHeld: () => boolean): void {
  const { contentsOf } = bed.workbook;
  bed.workbook.contentsOf = async (areas) => {
    if (isHeld()) await new Promise<void>((resolve) => bed.clock.setTimeout(resolve, 2_000));
    return contentsOf(areas);
  };
}

test.each([
  ["all answers are older by then", 5, 40, 40],
  ["some came in the last minutes", 1_000, 1, 39],
])(
  "the rest of a refresh asks only for what is missing or older than the freshness time: %s",
  async (_, againMs, least, most) => {
    const bed = await openPlan(2_000);
    bed.service.latencyMs = 400;
    await cancelAfter(bed, 1_500);
    expect(bed.refresher.state.refreshed).toBeGreaterThan(0);
    await bed.clock.advance(10 * minuteMs);
    void bed.refresher.start("rest");
    await bed.clock.advance(againMs);
    bed.refresher.cancel();
    await bed.clock.advance(10 * minuteMs);
    const sent = counting(bed);
    const clickedAtMs = bed.clock.now();
    await bed.clock.until(bed.refresher.start("rest"));
    expect(bed.refresher.state).toMatchObject({ phase: "done", cells: 2_000, refreshed: 2_000 });
    expect(sent().search).toBeGreaterThanOrEqual(least);
    expect(sent().search).toBeLessThanOrEqual(most);
    expect(bed.cells.summary().oldestMs).toBeGreaterThanOrEqual(clickedAtMs - 15 * minuteMs);
  },
);

test("a cancel before the requests have left sends none", async () => {
  const bed = await openPlan(60);
  const sent = counting(bed);
  const { isNewEnough } = bed.engine;
  // Of a large workbook, other code runs between two slices of the cells.
  bed.engine.isNewEnough = (query) => {
    bed.refresher.cancel();
    return isNewEnough(query);
  };
  await bed.clock.until(bed.refresher.start("workbook"));
  await bed.clock.advance(minuteMs);
  expect(bed.refresher.state).toMatchObject({ phase: "cancelled", cells: 60, refreshed: 0 });
  expect(bed.refresher.state.unrefreshed).toHaveLength(60);
  expect(sent().search).toBe(0);
});

test("a cancel when every new value is there ends as done, with the changes and the age cells", async () => {
  const bed = await openPlan(60);
  bed.put(at(60), '=INV.STATUS(A1,B1,"",TRUE)');
  bed.calculate([at(60)]);
  await bed.clock.advance(1_000);
  holdReads(bed, () => bed.refresher.state.refreshed === 60);
  void bed.refresher.start("workbook");
  for (let ms = 0; bed.refresher.state.refreshed < 60; ms += 5) await bed.clock.advance(5);
  expect(bed.refresher.state.phase).toBe("running");
  bed.refresher.cancel();
  await bed.clock.advance(30_000);
  expect(bed.refresher.state.phase).toBe("done");
  expect(bed.refresher.changes.get()?.changed).toHaveLength(60);
  expect(bed.workbook.recalculated.at(-1)).toMatchObject([{ row: 60 }]);
});

test("the rest of a selection that couldn't be searched is of what was selected at its start", async () => {
  const bed = await openPlan(60);
  bed.put(at(0, 2, "Other"), "=INV.QTY(Plan!A1,Plan!B1)");
  const { findFormulas } = bed.workbook;
  bed.workbook.findFormulas = () => Promise.reject(new Error("A cell is being edited."));
  bed.workbook.selection = [{ sheet: "Plan", row: 0, col: 0, rows: 30, cols: 5 }];
  await bed.clock.until(bed.refresher.start("selection"));
  expect(bed.refresher.state.phase).toBe("failed");
  bed.workbook.findFormulas = findFormulas;
  bed.workbook.selection = [{ sheet: "Other", row: 0, col: 0, rows: 1, cols: 5 }];
  await bed.clock.until(bed.refresher.start("rest"));
  expect(bed.refresher.state).toMatchObject({ phase: "done", cells: 30, refreshed: 30 });
});

const refusal = JSON.stringify({
  error: [{ code: "x", field: "/store_nbr", description: "The store isn't valid." }],
});

test.each([
  ["one store among many has no answer", 101, () => new Response("", { status: 503 }), "service-down"],
  ["the service refuses most items", 100, () => new Response(refusal, { status: 400 }), "refused-request"],
])("a formula with computed arguments is calculated if %s", async (_, failing, answer, code) => {
  const opened = await openPlan(60);
  const row = failing === 100 ? 59 : 0;
  opened.put(at(60, 3), `=INV.QTY(A${row + 1},TEXT(B${row + 1},"0"))`);
  opened.calculate([at(60, 3)]);
  await opened.clock.advance(60 * minuteMs);
  const bed = opened.reload();
  bed.service.version += 1;
  bed.service.script(({ operation, store }) =>
    operation === "search" && store === failing ? answer() : undefined,
  );
  await bed.clock.until(bed.refresher.start("workbook"));
  const { unrefreshed } = bed.refresher.state;
  expect(new Set(unrefreshed.map(({ because }) => because.code))).toEqual(new Set([code]));
  expect(unrefreshed.length).toBeGreaterThanOrEqual(failing === 100 ? 30 : 10);
  expect(bed.shownAt(at(60, 3))).toBe(valueOf(row, 2));
});
