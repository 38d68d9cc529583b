/**
 * The rules of a refresh, one by one: what a calculation gets that a mark has caused, what counts as refreshed, which cells are marked again,
 * and what happens to cells whose queries nobody knows.
 */
import { cellKey } from "../../../src/workbook/addresses";
import type { CellRef } from "../../../src/workbook/port";
import { withHost } from "../../functions/fakes";
import { at, counting, expected, fillPlan, gtin, minuteMs, openPlan, valueOf, values } from "./plan-bed";
import { createRefreshBed, type RefreshBed } from "./refresh-bed";

withHost();

const down = () => new Response("", { status: 503 });
const computed = (row: number) => `=INV.QTY(A${row},TEXT(B${row},"0"))`;

/** A plan in which all formulas have computed arguments, opened again: nobody knows their queries. */
async function openUnknown(rows: number): Promise<RefreshBed> {
  const opened = await openPlan(rows);
  for (let row = 0; row < rows; row += 1) {
    opened.put(at(row), computed(row + 1));
    opened.shown.set(cellKey(at(row)), valueOf(row, 0));
  }
  return opened.reload();
}

const marksOf = (bed: RefreshBed) => bed.workbook.recalculated.map((refs) => refs.length);

test("both values of a formula with two INV calls are refreshed, or it is left", async () => {
  const bed = createRefreshBed({ isProduction: true });
  bed.put(at(0, 0), 100);
  bed.put(at(0, 1), gtin(1));
  bed.put(at(0, 4), gtin(2));
  bed.put(at(0), "=INV.QTY(A1,B1)+INV.QTY(A1,E1)");
  bed.calculate([at(0)]);
  await bed.clock.advance(20 * minuteMs);
  // The second item is fresh in the cache: its answer is older than a minute.
  void bed.engine.item({ storeNumber: 100, itemType: "gtin", value: gtin(2) });
  await bed.clock.advance(5 * minuteMs);
  bed.calculate([at(0)]);
  await bed.clock.advance(1_000);
  bed.service.version += 1;
  expect((await bed.clock.until(bed.refresher.quote("workbook"))).work.items).toHaveLength(1);
  await bed.clock.advance(2 * minuteMs);
  expect((await bed.clock.until(bed.refresher.quote("workbook"))).work.items).toHaveLength(2);
  await bed.clock.until(bed.refresher.start("workbook"));
  const sum = valueOf(0, 1) + valueOf(0, 1) + 1;
  expect(bed.shownAt(at(0))).toBe(sum);
  expect(bed.refresher.state).toMatchObject({ phase: "done", refreshed: 1 });
});

test("a date that is too old by now is marked after opening, and shows its reason", async () => {
  const bed = createRefreshBed();
  bed.put(at(0, 0), 100);
  bed.put(at(0, 1), gtin(1));
  bed.put(at(0), '=INV.EVENTQTY(A1,B1,"SALES","2026-11-18")');
  bed.calculate([at(0)]);
  await bed.clock.advance(1_000);
  expect(bed.shownAt(at(0))).toBe(4);
  await bed.clock.advance(40 * 24 * 60 * minuteMs);
  const reloaded = bed.reload();
  await reloaded.clock.until(reloaded.refresher.start("workbook"));
  await reloaded.clock.advance(1_000);
  expect(String(reloaded.shownAt(at(0)))).toMatch(/^#VALUE! start_date/);
});

test("TODAY() asks for the new day after midnight", async () => {
  const bed = createRefreshBed();
  bed.put(at(0, 0), 100);
  bed.put(at(0, 1), gtin(1));
  bed.put(at(0), '=INV.EVENTQTY(A1,B1,"SALES",TODAY()-1)');
  bed.calculate([at(0)]);
  await bed.clock.advance(24 * 60 * minuteMs);
  const before = bed.service.of("events").length;
  await bed.clock.until(bed.refresher.start("workbook"));
  const days = bed.service
    .of("events")
    .slice(before)
    .map(({ url }) => url.searchParams.get("start_date"));
  expect(days).toEqual(["2026-11-20"]);
  expect(bed.refresher.state).toMatchObject({ phase: "done", refreshed: 1 });
});

test("of cells whose queries nobody knows, one shows whether the service answers, and others come in waves of 50", async () => {
  const bed = await openUnknown(120);
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(marksOf(bed)).toEqual([1, 50, 50, 19]);
  expect(bed.refresher.state).toMatchObject({ phase: "done", refreshed: 120 });
});

test("an outage that begins while such cells are marked costs the value of one of them", async () => {
  const bed = await openUnknown(120);
  bed.service.script(({ operation }) => (operation === "search" ? down() : undefined));
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(marksOf(bed)).toEqual([1]);
  const kept = values(bed, 120).filter((value, row) => value === valueOf(row, 0));
  expect(kept).toHaveLength(119);
  expect(bed.refresher.state).toMatchObject({ phase: "failed", refreshed: 0 });
  expect(bed.refresher.state.unrefreshed).toHaveLength(120);
  expect(new Set(bed.refresher.state.unrefreshed.map(({ because }) => because.code))).toEqual(
    new Set(["service-down"]),
  );
});

test("an answer that was there before proves nothing about the service", async () => {
  const opened = await openPlan(60);
  for (let row = 1; row < 60; row += 1) {
    opened.put(at(row), computed(row + 1));
    opened.shown.set(cellKey(at(row)), valueOf(row, 0));
  }
  // The first unknown cell asks for the item of the plain one.
  opened.put(at(1, 1), gtin(1));
  const bed = opened.reload();
  bed.service.script(({ operation, values: asked }) =>
    operation === "search" && !asked.includes(gtin(1)) ? down() : undefined,
  );
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(marksOf(bed)).toEqual([1, 1, 1]);
  expect(values(bed, 60).filter((value) => typeof value === "number")).toHaveLength(59);
});

test("of cells whose queries nobody knows none is marked if half of the queries failed", async () => {
  const opened = await openPlan(100);
  opened.put(at(0, 3), computed(1));
  opened.shown.set(cellKey(at(0, 3)), valueOf(0, 0));
  const bed = opened.reload();
  bed.service.script(({ operation, store }) =>
    operation === "search" && store === 101 ? down() : undefined,
  );
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(marksOf(bed)).toEqual([50]);
  expect(bed.shownAt(at(0, 3))).toBe(valueOf(0, 0));
});

test("after a cancel, marked cells that Excel calls later send nothing, except those whose value nobody knows", async () => {
  const bed = await openUnknown(60);
  bed.callAfterMs = 4_000;
  void bed.refresher.start("workbook");
  await bed.clock.advance(8_000);
  expect(marksOf(bed)).toEqual([1, 50]);
  bed.refresher.cancel();
  await bed.clock.advance(20_000);
  // These would show #VALUE! otherwise.
  expect(values(bed, 60).filter((value) => typeof value === "number")).toHaveLength(60);

  const known = await openPlan(60);
  known.callAfterMs = 4_000;
  void known.refresher.start("workbook");
  await known.clock.advance(2_000);
  expect(marksOf(known)).toEqual([60]);
  known.engine.clear();
  known.refresher.cancel();
  const sent = counting(known);
  await known.clock.advance(20_000);
  expect(sent().search).toBe(0);
});

test.each([
  ["within 30 s", 20_000, 0, 0],
  ["later", 40_000, 0, 1],
  ["later by the system's clock, as after a sleep", 1_000, 60_000, 1],
])("a mark counts for a cell that Excel calls %s after the end", async (_, waitMs, systemMs, calls) => {
  const bed = await openPlan(60);
  bed.forgets = ({ row }) => row === 7;
  bed.service.script(({ operation, store }) =>
    operation === "search" && store === 101 ? down() : undefined,
  );
  await bed.clock.until(bed.refresher.start("workbook"));
  bed.engine.clear();
  const sent = counting(bed);
  await bed.clock.advance(waitMs);
  bed.clock.setSystem(systemMs);
  // A calculation that the mark has caused: the answer is gone, so it asks for nothing only while the mark counts.
  bed.refresher.cancel();
  bed.engine.cancel();
  bed.calculate([at(7)]);
  await bed.clock.advance(1_000);
  expect(sent().search).toBe(calls);
});

test("a cell that is typed again after its mark asks as any other cell", async () => {
  const bed = (await openPlan(100)).reload();
  // Such an answer isn't asked for again.
  bed.service.script(({ operation, store }) =>
    operation === "search" && store === 101
      ? Response.json({ supplier_name: "Example", store_nbr: 101, items: [] })
      : undefined,
  );
  bed.service.latencyMs = 400;
  void bed.refresher.start("workbook");
  while (bed.refresher.state.refreshed === 0) await bed.clock.advance(100);
  bed.service.script(() => undefined);
  bed.type(at(3, 0), 101);
  bed.type(at(3, 1), gtin(60));
  await bed.clock.advance(2_000);
  expect(typeof bed.shownAt(at(3))).toBe("number");
});

test("what one types during a long refresh goes ahead, and its answer serves the refresh", async () => {
  const bed = createRefreshBed({ quota: 60 });
  for (let row = 0; row < 300; row += 1) {
    bed.put(at(row, 0), 100 + row);
    bed.put(at(row, 1), gtin(row + 1));
    bed.put(at(row), `=INV.QTY(A${row + 1},B${row + 1})`);
  }
  bed.calculate(bed.formulas());
  await bed.clock.advance(60 * minuteMs);
  bed.service.version += 1;
  const sent = counting(bed);
  const refreshing = bed.refresher.start("workbook");
  await bed.clock.advance(10_000);
  // The item of the last row, which the refresh asks for minutes later.
  bed.put(at(400, 0), 399);
  bed.put(at(400, 1), gtin(300));
  bed.put(at(400), "=INV.QTY(A401,B401)");
  const typedAtMs = bed.clock.now();
  bed.type(at(400), "=INV.QTY(A401,B401)");
  while (typeof bed.shownAt(at(400)) !== "number") await bed.clock.advance(100);
  expect(bed.clock.now() - typedAtMs).toBeLessThan(minuteMs + 5_000);
  await bed.clock.until(refreshing);
  expect(bed.clock.now() - typedAtMs).toBeGreaterThan(3 * minuteMs);
  expect(sent().search).toBe(300);
});

test.each([
  ["keeps the old value", "old", 1],
  ["loses the result", "busy", 2],
  ["shows 0 first", "zero", 2],
] as const)("a cell for which the host %s once is marked again", async (_, how, version) => {
  const bed = await openPlan(60);
  const once = new Set<number>();
  bed.shows = ({ row }) => (row < 6 && once.size < once.add(row).size ? how : "result");
  bed.service.version = version;
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(bed.refresher.state).toMatchObject({ phase: "done", refreshed: 60, unrefreshed: [] });
  expect(values(bed, 60)).toEqual(expected(60, version));
  expect(marksOf(bed)).toEqual([60, 6]);
});

test("cells for which the host keeps the old value are left, not refreshed", async () => {
  const bed = await openPlan(60);
  bed.shows = ({ row }) => (row < 6 ? "old" : "result");
  await bed.clock.until(bed.refresher.start("workbook"));
  const { phase, refreshed, unrefreshed } = bed.refresher.state;
  expect({ phase, refreshed }).toEqual({ phase: "failed", refreshed: 54 });
  expect(unrefreshed.map(({ cell }) => cell.row)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(unrefreshed[0]?.because.message).toMatch(/^Excel doesn't show the new value\./);
});

test("a formula that shows #SPILL!, and one within IFNA, are compared with nothing else", async () => {
  const bed = await openPlan(3);
  bed.service.script(({ operation, values: asked }) =>
    operation === "search" && asked.length === 0 ? down() : undefined,
  );
  bed.put(at(0, 5), "=INV.QTY(A1:A3,B1:B3)");
  bed.calculate([at(0, 5)]);
  await bed.clock.advance(60 * minuteMs);
  const { valueOf: shownIn } = bed.workbook;
  bed.workbook.valueOf = (formula: string, ref: CellRef) =>
    ref.col === 5 ? "#SPILL!" : shownIn(formula, ref);
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(bed.refresher.state).toMatchObject({ phase: "done", cells: 4, refreshed: 4, unrefreshed: [] });
});

test("another environment ends the refresh: no mark after it, and no value of the old one counts", async () => {
  const bed = await openPlan(2_000);
  bed.service.latencyMs = 400;
  const refreshing = bed.refresher.start("workbook");
  while (bed.refresher.state.refreshed === 0) await bed.clock.advance(100);
  const marked = bed.workbook.recalculated.flat().length;
  const { environment, credentials } = bed.service.connection;
  bed.engine.connect({ environment: { ...environment, id: "another" }, credentials });
  await bed.clock.until(refreshing);
  expect(bed.refresher.state.phase).not.toBe("done");
  expect(bed.workbook.recalculated.flat()).toHaveLength(marked);
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(bed.refresher.state).toMatchObject({ phase: "done", refreshed: 2_000 });
});

test("no more cells are counted as refreshed than there are, though rows are added and deleted meanwhile", async () => {
  const bed = await openPlan(41);
  bed.service.latencyMs = 900;
  const wrong: unknown[] = [];
  bed.refresher.subscribe(() => {
    const { refreshed, cells } = bed.refresher.state;
    if (refreshed > cells) wrong.push([refreshed, cells]);
  });
  const refreshing = bed.refresher.start("workbook");
  await bed.clock.advance(500);
  bed.put(at(60, 0), 100);
  bed.put(at(60, 1), gtin(61));
  bed.put(at(60), "=INV.QTY(A61,B61)");
  bed.type(at(60), "=INV.QTY(A61,B61)");
  await bed.clock.until(refreshing);
  expect(wrong).toEqual([]);
  expect(bed.refresher.state).toMatchObject({ phase: "done", cells: 42, refreshed: 42 });
});

test("a formula whose IF skips INV isn't marked while its cell is blank", async () => {
  const opened = await openPlan(3);
  for (let row = 0; row < 3; row += 1) {
    opened.put(at(row, 4), row === 1 ? 0 : 1);
    opened.put(at(row), `=IF(E${row + 1}>0,INV.QTY(A${row + 1},B${row + 1}),"")`);
    opened.shown.set(cellKey(at(row)), row === 1 ? "" : valueOf(row, 0));
  }
  const bed = opened.reload();
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(bed.refresher.state).toMatchObject({ phase: "done", refreshed: 2, unrefreshed: [] });
  expect(bed.workbook.recalculated.flat().map(({ row }) => row)).toEqual([0, 2]);
});

test("after a cancel, cells for which the host keeps the old value aren't refreshed", async () => {
  const bed = await openPlan(2_000);
  bed.service.latencyMs = 400;
  bed.shows = ({ row }) => (row < 6 ? "old" : "result");
  void bed.refresher.start("workbook");
  while (bed.refresher.state.refreshed === 0) await bed.clock.advance(100);
  bed.refresher.cancel();
  await bed.clock.advance(30_000);
  const { phase, unrefreshed } = bed.refresher.state;
  expect(phase).toBe("cancelled");
  expect(unrefreshed.map(({ cell }) => cell.row).filter((row) => row < 6)).toEqual([0, 1, 2, 3, 4, 5]);
});

test("a grid is marked when the last of its answers is there", async () => {
  const bed = createRefreshBed();
  bed.put(at(0, 1), gtin(1));
  [101, 102].forEach((store, row) => bed.put(at(row, 0), store));
  bed.put(at(0), "=INV.QTY(A1:A2,B1)");
  bed.calculate([at(0)]);
  await bed.clock.advance(60 * minuteMs);
  const before = bed.service.of("search").length;
  // The second store is answered when it is asked for the third time, after the first look at the cells.
  bed.service.script(({ operation, store, number }) =>
    operation === "search" && store === 102 && number < before + 3 ? down() : undefined,
  );
  const sentAtMarks: number[] = [];
  const { recalculate } = bed.workbook;
  bed.workbook.recalculate = (cells, options) => {
    sentAtMarks.push(bed.service.of("search").length - before);
    return recalculate(cells, options);
  };
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(bed.refresher.state).toMatchObject({ phase: "done", refreshed: 1 });
  expect(sentAtMarks).toEqual([4]);
});

test("a cell whose queries nobody knew wants an answer of the refresh, also where INV has a fresh one", async () => {
  const bed = await openUnknown(1);
  void bed.engine.item({ storeNumber: 100, itemType: "gtin", value: gtin(1) });
  await bed.clock.advance(5 * minuteMs);
  bed.service.version += 1;
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(bed.refresher.state).toMatchObject({ phase: "done", refreshed: 1 });
  expect(bed.shownAt(at(0))).toBe(valueOf(0, 2));
});

test("cells that are refreshed already aren't asked for, marked or read again", async () => {
  const bed = createRefreshBed({ isProduction: true });
  fillPlan(bed, 60);
  for (let row = 0; row < 60; row += 1) {
    bed.put(at(row, 4), 1);
    bed.put(at(row), `=IF(E${row + 1}>0,INV.QTY(A${row + 1},B${row + 1}),"")`);
  }
  bed.calculate(bed.formulas());
  await bed.clock.advance(10_000);
  const sent = counting(bed);
  let reads = 0;
  const { contentsOf } = bed.workbook;
  bed.workbook.contentsOf = (areas) => {
    reads += 1;
    return contentsOf(areas);
  };
  // Their answers are less than a minute old.
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(bed.refresher.state).toMatchObject({ phase: "done", refreshed: 60 });
  expect({ ...sent(), marks: marksOf(bed), reads }).toEqual({ search: 0, events: 0, marks: [], reads: 0 });
});

test("what a calculation got no answer for asks for nothing that has one", async () => {
  const bed = createRefreshBed();
  bed.put(at(0, 1), gtin(1));
  [101, 102].forEach((store, row) => bed.put(at(row, 0), store));
  bed.put(at(0), "=INV.QTY(A1:A2,B1)");
  bed.service.script(({ operation, store }) =>
    operation === "search" && store === 102 ? down() : undefined,
  );
  bed.calculate([at(0)]);
  await bed.clock.advance(minuteMs);
  bed.service.script(() => undefined);
  const sent = counting(bed);
  await bed.clock.until(bed.refresher.start("rest"));
  expect(bed.refresher.state).toMatchObject({ phase: "done", refreshed: 1 });
  expect(sent().search).toBe(1);
});

test("what a failed refresh has left isn't forgotten while a part of it waits for its answer", async () => {
  const bed = await openPlan(100);
  bed.service.script(({ operation }) => (operation === "search" ? down() : undefined));
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(bed.refresher.state).toMatchObject({ phase: "failed", refreshed: 0 });
  bed.engine.tryAgain();
  let isHeld = true;
  bed.service.script(({ operation, store }) =>
    operation === "search" && store === 101 && isHeld ? "hang" : undefined,
  );
  bed.calculate(bed.formulas());
  await bed.clock.advance(5_000);
  expect(bed.cells.summary()).toMatchObject({ waiting: 50, latestUnanswered: 0 });
  expect(bed.refresher.state.phase).toBe("failed");
  isHeld = false;
  await bed.clock.advance(2 * minuteMs);
  expect(bed.refresher.state.phase).toBe("idle");
});
