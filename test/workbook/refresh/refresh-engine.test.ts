/** Refreshing with the real engine: as many requests as the price said, also in outages, and only the rest after a resume. */
import { toInvError } from "../../../src/domain/errors";
import { createCellRegister } from "../../../src/cells/cell-register";
import { createEngine } from "../../../src/engine/engine";
import { cellAddresses } from "../../../src/workbook/addresses";
import type { CellRef } from "../../../src/workbook/port";
import { createRefresher } from "../../../src/workbook/refresh/refresh";
import { createScriptedService, type LoggedCall } from "../../helpers/scripted-service";
import { createVirtualClock } from "../../helpers/virtual-clock";
import { createMemoryWorkbook } from "../memory-workbook";

/** A sheet of `count` items, 50 to a store, calculated once. Cells show what INV.QTY would. */
async function openSheet(count: number) {
  const clock = createVirtualClock();
  const service = createScriptedService({ clock });
  const engine = createEngine({ clock, transport: service.transport });
  engine.connect(service.connection);
  const cells = createCellRegister({ clock });
  const workbook = createMemoryWorkbook(["Plan"]);
  const shown = new Map<number, number | string>();

  async function calculate(ref: CellRef): Promise<void> {
    const [address] = cellAddresses(ref);
    const query = {
      storeNumber: 100 + Math.floor(ref.row / 50),
      itemType: "gtin",
      value: String(ref.row).padStart(14, "0"),
    } as const;
    const report = cells.begin(address, "demo");
    report.requests(query);
    try {
      const answer = await engine.item(query, address);
      report.answered(answer.fetchedAtMs, answer.staleBecause);
      if (answer.found) shown.set(ref.row, answer.value.locations[0]?.quantity ?? "none");
      else {
        report.failed(answer.error);
        shown.set(ref.row, "#N/A");
      }
    } catch (error) {
      report.failed(toInvError(error));
      shown.set(ref.row, "#VALUE!");
    }
    report.settled();
  }

  workbook.onRecalculate = (refs) => {
    clock.setTimeout(() => {
      for (const ref of refs) void calculate(ref);
    }, 10);
  };
  const refs = Array.from({ length: count }, (_, row) => ({ sheet: "Plan", row, col: 2 }));
  for (const ref of refs) workbook.put(ref, `=INV.QTY(A${ref.row + 1},B${ref.row + 1})`);
  for (const ref of refs) void calculate(ref);
  await clock.advance(5000);
  const refresher = createRefresher({ workbook, engine, cells, clock });
  return { clock, service, engine, cells, workbook, shown, refresher };
}

test.each([1, 99, 100, 101, 1000])(
  "%i cells cost the calls that the price said, and show the new numbers",
  async (count) => {
    const { clock, service, shown, refresher } = await openSheet(count);
    const before = service.of("search").length;
    const old = new Map(shown);
    service.version += 1;
    const { price } = await refresher.quote("workbook");
    const refreshing = refresher.start("workbook");
    await clock.until(refreshing);
    expect(refresher.state).toMatchObject({ phase: "done", cells: count, settled: count });
    expect(service.of("search").length - before).toBe(price.searchCalls);
    expect(price.searchCalls).toBe(Math.ceil(count / 50));
    for (const [row, value] of shown) expect(value).toBe(Number(old.get(row)) + 1);
  },
);

test("a service that is down at the first request leaves every number, and a resume gets all values", async () => {
  const { clock, service, workbook, shown, refresher } = await openSheet(200);
  const old = new Map(shown);
  service.version += 1;
  service.script(() => new Response("", { status: 503 }));
  await clock.until(refresher.start("workbook"));
  expect(refresher.state).toMatchObject({ phase: "failed", settled: 0 });
  expect(workbook.recalculated).toEqual([]);
  expect(shown).toEqual(old);
  service.script(() => undefined);
  await clock.advance(60_000);
  await clock.until(refresher.resume());
  expect(refresher.state).toMatchObject({ phase: "done", cells: 200, settled: 200 });
  for (const [row, value] of shown) expect(value).toBe(Number(old.get(row)) + 1);
});

test("a service that fails in the middle leaves last known values, and a resume requests only the rest", async () => {
  const { clock, service, cells, shown, refresher } = await openSheet(1000);
  const old = new Map(shown);
  service.version += 1;
  let answered = 0;
  service.script((call) => {
    if (call.operation !== "search") return undefined;
    answered += 1;
    return answered > 8 ? new Response("", { status: 503 }) : undefined;
  });
  await clock.until(refresher.start("workbook"));
  expect(refresher.state.phase).toBe("failed");
  const stale = [...cells.all()].filter(({ state }) => state === "stale").length;
  expect(stale).toBeGreaterThan(0);
  expect([...shown.values()]).not.toContain("#VALUE!");
  service.script(() => undefined);
  await clock.advance(60_000);
  const before = service.of("search").length;
  await clock.until(refresher.resume());
  expect(refresher.state).toMatchObject({ phase: "done", cells: stale, settled: stale });
  expect(service.of("search").length - before).toBe(Math.ceil(stale / 50));
  for (const [row, value] of shown) expect(value).toBe(Number(old.get(row)) + 1);
});

test("a cancel keeps the values that have arrived, and a resume requests only the rest", async () => {
  const { clock, service, cells, shown, refresher } = await openSheet(2000);
  const old = new Map(shown);
  service.version += 1;
  service.latencyMs = 400;
  void refresher.start("workbook");
  await clock.advance(1400);
  expect(refresher.state.phase).toBe("running");
  refresher.cancel();
  expect(refresher.state.phase).toBe("cancelled");
  await clock.advance(5000);
  expect([...cells.all()].filter(({ state }) => state === "waiting")).toEqual([]);
  const renewed = [...shown].filter(([row, value]) => value !== old.get(row)).length;
  expect(renewed).toBeGreaterThan(0);
  expect(renewed).toBeLessThan(2000);
  const before = service.of("search").length;
  await clock.until(refresher.resume());
  expect(refresher.state).toMatchObject({ phase: "done", cells: 2000 - renewed });
  expect(service.of("search").length - before).toBe((2000 - renewed) / 50);
  for (const [row, value] of shown) expect(value).toBe(Number(old.get(row)) + 1);
});

function withoutOddItems(call: LoggedCall): Response | undefined {
  if (call.operation !== "search") return undefined;
  const items = call.values.map((gtin) =>
    Number(gtin) % 2 === 1
      ? { gtin, data_retrieval_status: "ERROR", reason: "No data found" }
      : {
          gtin,
          data_retrieval_status: "SUCCESS",
          inventory_locations: [{ location_area: "STORE", state: "AVAILABLE", quantity: "7" }],
          cid_level_inventories: [],
          last_updated_time: "2026-11-20T08:00:00",
        },
  );
  return Response.json({ supplier_name: "Demo", store_nbr: call.store, items });
}

test("a resume also requests cells with #N/A, because stock may have arrived since", async () => {
  const { clock, service, cells, shown, refresher } = await openSheet(1000);
  service.script(withoutOddItems);
  await clock.until(refresher.start("workbook"));
  expect([...shown.values()].filter((value) => value === "#N/A")).toHaveLength(500);

  service.script(() => undefined);
  service.latencyMs = 400;
  void refresher.start("workbook");
  await clock.advance(1400);
  refresher.cancel();
  await clock.advance(5000);
  const nos = [...shown.values()].filter((value) => value === "#N/A").length;
  expect(nos).toBeGreaterThan(0);
  const { latestUnanswered: owed } = cells.summary();
  expect(owed).toBe(2 * nos);
  await clock.until(refresher.resume());
  expect(refresher.state).toMatchObject({ phase: "done", cells: owed });
  expect([...shown.values()]).not.toContain("#N/A");
  expect(cells.summary().latestUnanswered).toBe(0);
});

test("after a cancelled fill-down only the unanswered cells are requested", async () => {
  const { clock, service, engine, cells, workbook, shown, refresher } = await openSheet(1000);
  engine.clear();
  service.latencyMs = 400;
  await workbook.onRecalculate(Array.from({ length: 1000 }, (_, row) => ({ sheet: "Plan", row, col: 2 })));
  await clock.advance(900);
  engine.cancel();
  await clock.advance(1000);
  const { latestUnanswered: owed } = cells.summary();
  expect(owed).toBeGreaterThan(0);
  expect(owed).toBeLessThan(1000);
  const quote = await refresher.quote("unanswered");
  expect(quote).toMatchObject({ cells: owed, unseen: 0, price: { searchCalls: owed / 50 } });
  const before = service.of("search").length;
  await clock.until(refresher.start("unanswered"));
  expect(service.of("search").length - before).toBe(owed / 50);
  expect(refresher.state).toMatchObject({ phase: "done", cells: owed });
  expect(cells.summary().latestUnanswered).toBe(0);
  expect([...shown.values()]).not.toContain("#VALUE!");
});

test("the first refresh after a reload asks for every value, though fresh answers are cached", async () => {
  const { clock, service, engine, cells, shown, refresher } = await openSheet(200);
  // As after a reload, when colleagues have asked for the same a moment ago.
  cells.forget([...cells.all()].map(({ address }) => address));
  service.version += 1;
  await clock.advance(60_000);
  const before = service.of("search").length;
  const old = new Map(shown);
  await clock.until(refresher.start("workbook"));
  expect(refresher.state).toMatchObject({ phase: "done", cells: 200, settled: 200 });
  for (const [row, value] of shown) expect(value).toBe(Number(old.get(row)) + 1);

  expect(service.of("search").length - before).toBeLessThanOrEqual(5);
  expect(engine.progress().busy).toBe(false);
});
