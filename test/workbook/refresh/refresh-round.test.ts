/** Refreshes with the real engine and functions: opened and reloaded workbooks, outages, cancels, and people who edit meanwhile. */
import { withHost } from "../../functions/fakes";
import { problem, quantityOf } from "../../helpers/scripted-service";
import { at, counting, expected, fillPlan, gtin, minuteMs, openPlan, valueOf, values } from "./plan-bed";
import { createRefreshBed, type RefreshBed } from "./refresh-bed";

withHost();

/** Reloads, refreshes, and expects that the first row's cell is stale and no cell is refreshed. */
async function refreshInVain(bed: RefreshBed): Promise<RefreshBed> {
  const reloaded = bed.reload();
  await reloaded.clock.until(reloaded.refresher.start("workbook"));
  expect(reloaded.refresher.state).toMatchObject({
    phase: "failed",
    refreshed: 0,
    unrefreshed: [{ cell: { row: 0 } }],
  });
  return reloaded;
}

test.each([
  ["calculated", (bed: RefreshBed) => bed],
  ["opened or reloaded", (bed: RefreshBed) => bed.reload()],
])("a workbook that was %s shows new values for the least calls, as the price said", async (_, prepare) => {
  const bed = prepare(await openPlan(420));
  const sent = counting(bed);
  const { cells, unpredictable, price } = await bed.clock.until(bed.refresher.quote("workbook"));
  expect({ cells, unpredictable, calls: price.searchCalls }).toEqual({
    cells: 420,
    unpredictable: 0,
    calls: 9,
  });
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(bed.refresher.state).toMatchObject({
    phase: "done",
    cells: 420,
    refreshed: 420,
    unrefreshed: [],
  });
  expect(values(bed, 420)).toEqual(expected(420, 1));
  expect(sent()).toEqual({ search: 9, events: 0 });
});

test("a second refresh right after the first asks again", async () => {
  const bed = await openPlan(100);
  await bed.clock.until(bed.refresher.start("workbook"));
  bed.service.version += 1;
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(bed.refresher.state).toMatchObject({ phase: "done", refreshed: 100 });
  expect(values(bed, 100)).toEqual(expected(100, 2));
});

test.each([
  ["of 10,000 items", (bed: RefreshBed) => bed],
  // All answers are there at once.
  [
    "of one item",
    (bed: RefreshBed) => {
      for (const { row } of bed.formulas()) bed.put(at(row), "=INV.QTY($A$1,$B$1)");
      return bed.reload();
    },
  ],
])("a refresh of 10,000 cells %s shows #BUSY! in at most a tenth of them at once", async (_, prepare) => {
  const bed = prepare(await openPlan(10_000));
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(bed.refresher.state).toMatchObject({ phase: "done", refreshed: 10_000 });
  expect(bed.mostBusy).toBeLessThanOrEqual(1_000);
});

test("planners keep their numbers until the new ones are known", async () => {
  const bed = await openPlan(10);
  bed.service.latencyMs = 5_000;
  void bed.refresher.start("workbook");
  // A new token comes first.
  await bed.clock.advance(9_900);
  expect(bed.mostBusy).toBe(0);
  expect(values(bed, 10)).toEqual(expected(10, 0));
  await bed.clock.advance(5_000);
  expect(values(bed, 10)).toEqual(expected(10, 1));
});

test.each([
  ["up to a minute old", {}, 0, 0],
  ["that are new only", { refreshAgeMs: 0 }, 2, 1],
])("a refresh takes values %s, for every cell", async (_, settings, calls, version) => {
  const bed = createRefreshBed({ isProduction: true, settings });
  fillPlan(bed, 100);
  bed.calculate(bed.formulas());
  await bed.clock.advance(30_000);
  bed.service.version += 1;
  const sent = counting(bed);
  expect((await bed.clock.until(bed.refresher.quote("workbook"))).price.searchCalls).toBe(calls);
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(sent().search).toBe(calls);
  expect(bed.refresher.state).toMatchObject({ phase: "done", refreshed: 100 });
  expect(values(bed, 100)).toEqual(expected(100, version));
});

test.each([["calculated"], ["opened"]])(
  "an outage changes no cell of a workbook that was %s",
  async (how) => {
    const plan = await openPlan(150);
    const bed = how === "opened" ? plan.reload() : plan;
    bed.service.script(({ operation }) =>
      operation === "search" ? new Response("", { status: 503 }) : undefined,
    );
    await bed.clock.until(bed.refresher.start("workbook"));
    expect(bed.refresher.state).toMatchObject({
      phase: "failed",
      refreshed: 0,
      error: { code: "service-down" },
    });
    expect(bed.refresher.state.unrefreshed).toHaveLength(150);
    expect(bed.workbook.recalculated).toEqual([]);
    expect(values(bed, 150)).toEqual(expected(150, 0));

    bed.service.script(() => undefined);
    await bed.clock.advance(minuteMs);
    const sent = counting(bed);
    await bed.clock.until(bed.refresher.start("rest"));
    expect(bed.refresher.state).toMatchObject({ phase: "done", refreshed: 150 });
    expect(sent().search).toBe(3);
    expect(values(bed, 150)).toEqual(expected(150, 1));
  },
);

test("a grid that is half answered is marked only if its other values are known", async () => {
  const bed = createRefreshBed();
  bed.put(at(0, 1), gtin(1));
  [101, 102].forEach((store, row) => bed.put(at(row, 0), store));
  bed.put(at(0), "=INV.QTY(A1:A2,B1)");
  bed.calculate([at(0)]);
  await bed.clock.advance(60 * minuteMs);
  const half = ({ operation, store }: { operation: string; store: number }) =>
    operation === "search" && store === 102 ? new Response("", { status: 503 }) : undefined;
  bed.service.version += 1;
  bed.service.script(half);
  const quantity = (store: number, version: number) => quantityOf(store, gtin(1), version);
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(bed.shownAt(at(0))).toEqual([[quantity(101, 1)], [quantity(102, 0)]]);
  expect(bed.refresher.state).toMatchObject({ phase: "failed", refreshed: 0 });

  // The file's numbers would become #VALUE!.
  const reloaded = bed.reload();
  reloaded.service.version += 1;
  await reloaded.clock.advance(10 * minuteMs);
  reloaded.service.script(half);
  await reloaded.clock.until(reloaded.refresher.start("workbook"));
  expect(reloaded.shownAt(at(0))).toEqual([[quantity(101, 1)], [quantity(102, 0)]]);
  expect(reloaded.refresher.state.unrefreshed).toHaveLength(1);
});

test("a cancel leaves cells as they are, and only the rest is asked for then", async () => {
  const bed = await openPlan(2_000);
  bed.service.latencyMs = 400;
  const sent = counting(bed);
  void bed.refresher.start("workbook");
  await bed.clock.advance(1_500);
  bed.refresher.cancel();
  const before = sent().search;
  await bed.clock.advance(60_000);
  expect(sent().search).toBe(before);
  const renewed = values(bed, 2_000).filter((value, row) => value === valueOf(row, 1)).length;
  expect(renewed).toBeGreaterThan(0);
  expect(values(bed, 2_000).filter((value, row) => value === valueOf(row, 0))).toHaveLength(2_000 - renewed);
  // Of the others, some have their answer, but it isn't in the sheet.
  expect(bed.cells.summary().latestUnanswered).toBeLessThanOrEqual(2_000 - renewed);
  expect(bed.cells.summary().latestUnanswered).toBeGreaterThan(0);
  await bed.clock.until(bed.refresher.start("rest"));
  expect(bed.cells.summary().latestUnanswered).toBe(0);
  expect(bed.refresher.state).toMatchObject({ phase: "done", cells: 2_000, refreshed: 2_000 });
  expect(values(bed, 2_000)).toEqual(expected(2_000, 1));
  // The calls in flight at the cancel are asked again.
  expect(sent().search).toBeLessThanOrEqual(40 + 6);
});

test("unpredictable formulas are counted apart, and marked last", async () => {
  const bed = await openPlan(3);
  bed.put(at(0, 3), '=INV.QTY(A1,TEXT(B1,"0"))');
  const opened = bed.reload();
  const quote = await opened.clock.until(opened.refresher.quote("workbook"));
  expect(quote).toMatchObject({ cells: 4, unpredictable: 1, price: { searchCalls: 1 } });
  await opened.clock.until(opened.refresher.start("workbook"));
  expect(opened.refresher.state).toMatchObject({ phase: "done", refreshed: 4 });
  expect(opened.workbook.recalculated.map((refs) => refs.map(({ col }) => col))).toEqual([[2, 2, 2], [3]]);
});

test("a formula that turns out to ask for nothing isn't counted from then on", async () => {
  const bed = await openPlan(3);
  bed.put(at(1, 3), '=INV.QTY(A9,TEXT(B9,"0"))');
  const opened = bed.reload();
  expect(await opened.clock.until(opened.refresher.quote("workbook"))).toMatchObject({
    cells: 4,
    unpredictable: 1,
  });
  await opened.clock.until(opened.refresher.start("workbook"));
  expect(opened.refresher.state).toMatchObject({ phase: "done", cells: 3, refreshed: 3, unrefreshed: [] });
  expect(await opened.clock.until(opened.refresher.quote("workbook"))).toMatchObject({
    cells: 3,
    unpredictable: 0,
  });
  expect([opened.cells.summary().cells, opened.cells.summary().uncalculated]).toEqual([3, 0]);
});

test("a row inserted elsewhere meanwhile costs nothing, and moved cells get their values", async () => {
  const bed = await openPlan(600);
  bed.service.latencyMs = 2_000;
  const sent = counting(bed);
  const refreshing = bed.refresher.start("workbook");
  await bed.clock.advance(3_000);
  bed.insertRow("Plan", 100);
  await bed.clock.until(refreshing);
  expect(sent().search).toBe(12);
  expect(bed.refresher.state).toMatchObject({ phase: "done", cells: 600, refreshed: 600 });
  for (let row = 0; row < 600; row += 1) {
    expect(bed.shownAt(at(row < 100 ? row : row + 1))).toBe(valueOf(row, 1));
  }
});

test.each(["rest", "selection"] as const)("a refresh of the %s doesn't grow after an edit", async (scope) => {
  const bed = await openPlan(200);
  bed.put(at(300, 3), '=INV.QTY(A1,TEXT(B1,"0"))');
  if (scope === "rest") {
    bed.service.script(({ operation, store }) =>
      operation === "search" && store === 103 ? new Response("", { status: 503 }) : undefined,
    );
    bed.calculate(bed.formulas());
    await bed.clock.advance(minuteMs);
    expect(bed.cells.summary()).toMatchObject({ cells: 201, latestUnanswered: 50 });
    bed.service.script(() => undefined);
  }
  await bed.clock.advance(60 * minuteMs);
  bed.service.latencyMs = 2_000;
  bed.workbook.selection = [{ sheet: "Plan", row: 150, col: 0, rows: 50, cols: 5 }];
  const sent = counting(bed);
  const refreshing = bed.refresher.start(scope);
  await bed.clock.advance(1_000);
  bed.type(at(400, 9), "a note");
  await bed.clock.until(refreshing);
  expect(bed.refresher.state).toMatchObject({ phase: "done", cells: 50, refreshed: 50 });
  expect(sent().search).toBe(1);
});

test("cells without an answer are named where they are after a row was inserted at the last moment", async () => {
  const bed = await openPlan(100);
  bed.service.script(({ operation, store }) =>
    operation === "search" && store === 101 ? new Response("", { status: 503 }) : undefined,
  );
  const { contentsOf } = bed.workbook;
  let isInserted = false;
  bed.workbook.contentsOf = (areas) => {
    if (bed.workbook.recalculated.length > 0 && !isInserted) {
      isInserted = true;
      bed.insertRow("Plan", 0);
    }
    return contentsOf(areas);
  };
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(isInserted).toBe(true);
  expect(bed.refresher.state.unrefreshed.map(({ cell }) => cell.row)).toEqual(
    Array.from({ length: 50 }, (_, row) => 51 + row),
  );
});

test("values of another environment count as older, however young they are", async () => {
  const bed = await openPlan(20);
  bed.calculate(bed.formulas());
  await bed.clock.advance(minuteMs);
  expect((await bed.clock.until(bed.refresher.quote("older"))).cells).toBe(0);
  const { environment, credentials } = bed.service.connection;
  bed.engine.connect({ environment: { ...environment, id: "another" }, credentials });
  expect((await bed.clock.until(bed.refresher.quote("older"))).cells).toBe(20);
});

test.each([[1], [2]])(
  "cells that Excel forgets %i times are marked again, and twice at most",
  async (times) => {
    const bed = await openPlan(20);
    let forgotten = 0;
    bed.forgets = ({ row }) => row === 7 && ++forgotten <= times;
    await bed.clock.until(bed.refresher.start("workbook"));
    const { phase, cells, refreshed, uncalled } = bed.refresher.state;
    expect({ phase, cells, refreshed }).toEqual({ phase: "done", cells: 20, refreshed: 21 - times });
    expect(uncalled.map(({ cell }) => cell.row)).toEqual(times === 1 ? [] : [7]);
    expect(bed.workbook.recalculated.map((refs) => refs.length)).toEqual([20, 1]);
    // It isn't refreshed, so its age counts.
    expect(bed.cells.summary().oldestMs! < bed.refresher.state.startedAtMs!).toBe(times === 2);
  },
);

test.each([
  ["large", 42, 90, 152],
  ["small", 10, 87, 3],
])(
  "the %s workbook, reloaded, sends exactly the calls that were said",
  async (_, stores, perStore, histories) => {
    const bed = createRefreshBed();
    for (let row = 0; row < stores * perStore; row += 1) {
      bed.put(at(row, 0), 100 + Math.floor(row / perStore));
      bed.put(at(row, 1), gtin(row + 1));
      bed.put(at(row), `=IFNA(INV.QTY(A${row + 1},B${row + 1}),"")`);
      if (row < histories) bed.put(at(row, 3), `=INV.EVENTQTY(A${row + 1},B${row + 1},"SALES")`);
    }
    bed.calculate(bed.formulas());
    await bed.clock.advance(10 * minuteMs);
    const reloaded = bed.reload();
    const sent = counting(reloaded);
    const { price, unpredictable } = await reloaded.clock.until(reloaded.refresher.quote("workbook"));
    expect({ ...price, unpredictable }).toMatchObject({
      searchCalls: stores,
      eventCallsAtLeast: histories,
      unpredictable: 0,
    });
    await reloaded.clock.until(reloaded.refresher.start("workbook"));
    expect(reloaded.refresher.state).toMatchObject({ phase: "done", unrefreshed: [] });
    expect(sent()).toEqual({ search: stores, events: histories });
  },
);

test("sums of days without such events read one whole history of each item, as the price says", async () => {
  const bed = createRefreshBed();
  bed.service.script(({ operation, url }) =>
    operation === "events" && url.searchParams.has("start_date")
      ? problem(404, "Data not found. At least one of the given request parameters is invalid.")
      : undefined,
  );
  const items = 8;
  for (let row = 0; row < items; row += 1) {
    bed.put(at(row, 0), 100);
    bed.put(at(row, 1), gtin(row + 1));
    for (const [index, type] of ["SALES", "RETURNS", "LR"].entries()) {
      const dates = `"2026-11-1${index + 4}","2026-11-17"`;
      bed.put(at(row, 2 + index), `=INV.EVENTQTY(A${row + 1},B${row + 1},"${type}",${dates})`);
    }
  }
  const sent = counting(bed);
  const sentAtMarks: number[] = [];
  const { recalculate } = bed.workbook;
  bed.workbook.recalculate = (cells, options) => {
    sentAtMarks.push(sent().events);
    return recalculate(cells, options);
  };
  // The first fill: nothing is known yet.
  const opened = await bed.clock.until(bed.refresher.quote("workbook"));
  expect(opened).toMatchObject({ price: { eventCallsAtLeast: 3 * items }, atMostWhole: items });
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(bed.refresher.state).toMatchObject({ phase: "done", refreshed: 3 * items });
  expect(sent()).toEqual({ search: 0, events: 3 * items + items });
  expect(sentAtMarks).toEqual([3 * items + items]);
  expect(bed.shownAt(at(0))).toBe(0);

  // Then these are known.
  await bed.clock.advance(10 * minuteMs);
  expect(await bed.clock.until(bed.refresher.quote("workbook"))).toMatchObject({
    price: { eventCallsAtLeast: 3 * items },
    atMostWhole: 0,
  });
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(sent().events).toBe(2 * 3 * items + items);
});

test("a column of sums keeps its numbers if one of them needs a history that isn't answered", async () => {
  const bed = createRefreshBed();
  const [first, second] = [gtin(1), gtin(2)];
  let isDown = false;
  bed.service.script(({ operation, url }) => {
    if (operation !== "events" || !url.href.includes(first)) return undefined;
    if (url.searchParams.has("start_date")) {
      return problem(404, "Data not found. At least one of the given request parameters is invalid.");
    }
    return isDown ? new Response("", { status: 503 }) : undefined;
  });
  for (const [row, item] of [first, second].entries()) {
    bed.put(at(row, 0), 100);
    bed.put(at(row, 1), item);
  }
  bed.put(at(0), '=INV.EVENTQTY(A1:A2,B1:B2,"SALES","2026-11-14","2026-11-17")');
  bed.calculate(bed.formulas());
  await bed.clock.advance(10 * minuteMs);
  isDown = true;
  const reloaded = await refreshInVain(bed);
  expect(reloaded.workbook.recalculated).toEqual([]);
});

test("a sum keeps its number if its days have no such event and the item's history isn't answered", async () => {
  const bed = createRefreshBed();
  let isDown = false;
  bed.service.script(({ operation, url }) => {
    if (operation !== "events") return undefined;
    if (url.searchParams.has("start_date")) {
      return problem(404, "Data not found. At least one of the given request parameters is invalid.");
    }
    return isDown ? new Response("", { status: 403 }) : undefined;
  });
  bed.put(at(0, 0), 100);
  bed.put(at(0, 1), gtin(1));
  bed.put(at(0), '=INV.EVENTQTY(A1,B1,"SALES","2026-11-14","2026-11-17")');
  bed.calculate(bed.formulas());
  await bed.clock.advance(10 * minuteMs);
  expect(bed.shownAt(at(0))).toBe(0);
  isDown = true;
  const reloaded = await refreshInVain(bed);
  expect(reloaded.shownAt(at(0))).toBe(0);
  expect(reloaded.workbook.recalculated).toEqual([]);
  isDown = false;
  reloaded.engine.tryAgain();
  await reloaded.clock.until(reloaded.refresher.start("rest"));
  expect(reloaded.refresher.state).toMatchObject({ phase: "done", refreshed: 1 });
});
