/** Cells that show since when others are stale, over the real functions and engine: what they show in an outage, without requests of their own. */
import { createCellRegister } from "../../../src/cells/cell-register";
import { createEngine } from "../../../src/engine/engine";
import { qty, status } from "../../../src/functions/catalogue/inventory";
import { functionPreview } from "../../../src/functions/preview";
import { startFunctions } from "../../../src/functions/context";
import { cellAddresses } from "../../../src/workbook/addresses";
import type { CellRef, CellValue } from "../../../src/workbook/port";
import { createRefresher } from "../../../src/workbook/refresh/refresh";
import { contextOn, shownBy, withHost } from "../../functions/fakes";
import { createScriptedService, type LoggedCall } from "../../helpers/scripted-service";
import { createVirtualClock } from "../../helpers/virtual-clock";
import { createMemoryWorkbook } from "../memory-workbook";

withHost();

const [valueCol, ageCol] = [2, 3];
const down = (call: LoggedCall) =>
  call.operation === "search" ? new Response("", { status: 503 }) : undefined;

/** This many rows with a quantity and its age, 50 to a store. */
async function openSheet(rows: number) {
  const clock = createVirtualClock();
  const service = createScriptedService({ clock });
  const engine = createEngine({ clock, transport: service.transport });
  engine.connect(service.connection);
  const cells = createCellRegister({ clock, reasons: engine.unanswered });
  startFunctions({ ...contextOn(clock), cells, engine });
  const workbook = createMemoryWorkbook(["Plan"]);
  const shown = new Map<string, unknown>();

  async function calculate(ref: CellRef): Promise<void> {
    const store = [[100 + Math.floor(ref.row / 50)]];
    const item = [[String(ref.row).padStart(14, "0")]];
    const [address] = cellAddresses(ref);
    const invocation = { functionName: "INV", address } as CustomFunctions.Invocation;
    const result =
      ref.col === valueCol
        ? qty(store, item, undefined, undefined, undefined, invocation)
        : status(store, item, undefined, [[true]], invocation);
    shown.set(address, await shownBy(result));
  }

  workbook.valueOf = (_formula, ref) => {
    const value = shown.get(cellAddresses(ref)[0]) ?? null;
    return typeof value === "string" && value.startsWith("#")
      ? (value.split(" ")[0] ?? null)
      : (value as CellValue);
  };
  workbook.onRecalculate = (refs) => {
    clock.setTimeout(() => refs.forEach((ref) => void calculate(ref)), 10);
  };
  const refs = Array.from({ length: rows }, (_, row) =>
    [ageCol, valueCol].map((col) => ({ sheet: "Plan", row, col })),
  ).flat();
  for (const ref of refs) {
    const at = `A${ref.row + 1},B${ref.row + 1}`;
    workbook.put(ref, ref.col === valueCol ? `=INV.QTY(${at})` : `=INV.STATUS(${at},,TRUE)`);
  }
  refs.forEach((ref) => void calculate(ref));
  await clock.advance(5_000);
  const refresher = createRefresher({ workbook, engine, cells, clock, functions: functionPreview });
  const column = (name: "C" | "D") =>
    Array.from({ length: rows }, (_, row) => shown.get(`Plan!${name}${row + 1}`));
  return { clock, service, engine, cells, workbook, refresher, column, calculate };
}

const repeated = (count: number, text: string) => Array.from({ length: count }, () => text);
/** Returns `2026-11-20 14:02`. */
const minuteOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 16).replace("T", " ");
const searches = ({ service }: { service: ReturnType<typeof createScriptedService> }) =>
  service.of("search").length;

it("share the requests of the values beside them, and show SUCCESS", async () => {
  const sheet = await openSheet(100);
  expect(searches(sheet)).toBe(2);
  expect(sheet.column("D")).toEqual(repeated(100, "SUCCESS"));
  await sheet.clock.until(sheet.refresher.start("workbook"));
  expect(sheet.refresher.state).toMatchObject({ phase: "done", refreshed: 100, unrefreshed: [] });
  expect(searches(sheet)).toBe(4);
  await sheet.clock.advance(1_000);
  expect(sheet.column("D")).toEqual(repeated(100, "SUCCESS"));
});

it("show since when after a refresh failed in the middle, until the next success", async () => {
  const sheet = await openSheet(200);
  const asOf = minuteOf(sheet.cells.summary().oldestMs!);
  await sheet.clock.advance(20 * 60_000);
  let calls = 0;
  sheet.service.script((call) => (call.operation === "search" && ++calls > 1 ? down(call) : undefined));
  await sheet.clock.until(sheet.refresher.start("workbook"));
  await sheet.clock.advance(1_000);
  const { refreshed, unrefreshed, phase } = sheet.refresher.state;
  expect({ phase, refreshed, unrefreshed: unrefreshed.length }).toEqual({
    phase: "failed",
    refreshed: 50,
    unrefreshed: 150,
  });
  expect(sheet.column("D")).toEqual([
    ...repeated(50, "SUCCESS"),
    ...repeated(150, `SUCCESS, not answered since ${asOf} UTC`),
  ]);
  expect(sheet.column("C").every((value) => typeof value === "number")).toBe(true);

  sheet.service.script(() => undefined);
  await sheet.clock.advance(60_000);
  await sheet.clock.until(sheet.refresher.start("rest"));
  await sheet.clock.advance(1_000);
  expect(sheet.column("D")).toEqual(repeated(200, "SUCCESS"));
});

it("show it after no call was answered, and send nothing", async () => {
  const sheet = await openSheet(100);
  await sheet.clock.advance(20 * 60_000);
  sheet.service.script(down);
  await sheet.clock.until(sheet.refresher.start("workbook"));
  const before = searches(sheet);
  sheet.service.script(() => undefined);
  await sheet.clock.advance(60_000);
  expect(sheet.refresher.state).toMatchObject({ phase: "failed", refreshed: 0 });
  expect(searches(sheet)).toBe(before);
  expect(sheet.column("D")[0]).toMatch(/^SUCCESS, not answered since 2026-11-20 \d\d:\d\d UTC$/);
  expect(sheet.workbook.recalculated.flat().map(({ col }) => col)).toEqual(
    repeated(100, "").map(() => ageCol),
  );
  expect(sheet.cells.summary()).toMatchObject({ latestUnanswered: 100 });
});

it("show it in each row after a cancel, and in an outage after that, with the reason of the latest request", async () => {
  const sheet = await openSheet(100);
  const asOf = minuteOf(sheet.cells.summary().oldestMs!);
  await sheet.clock.advance(20 * 60_000);
  sheet.service.latencyMs = 5_000;
  void sheet.refresher.start("workbook");
  await sheet.clock.advance(1_000);
  sheet.refresher.cancel();
  await sheet.clock.advance(30_000);
  expect(sheet.column("D")).toEqual(repeated(100, `SUCCESS, not answered since ${asOf} UTC`));
  const reasons = () => [...new Set(sheet.cells.stale().map(({ because }) => because.code))];
  expect([sheet.cells.stale().length, reasons()]).toEqual([100, ["cancelled"]]);
  sheet.service.script(down);
  await sheet.clock.until(sheet.refresher.start("workbook"));
  expect([sheet.cells.stale().length, reasons()]).toEqual([100, ["service-down"]]);
});

it("are found after rows were inserted, and nothing else is recalculated", async () => {
  const sheet = await openSheet(3);
  sheet.service.script(down);
  const { findFormulas } = sheet.workbook;
  await sheet.clock.until(sheet.refresher.start("workbook"));
  sheet.workbook.recalculated.length = 0;
  // As after a row was inserted above: the last age cell is where the register knows no cell.
  sheet.workbook.findFormulas = async (...given) =>
    (await findFormulas(...given)).map((cell) => ({ ...cell, row: cell.row + 1 }));
  await sheet.clock.until(sheet.refresher.start("workbook"));
  await sheet.clock.advance(1_000);
  expect(sheet.workbook.recalculated.flat().map(({ row, col }) => [row, col])).toEqual([
    [1, ageCol],
    [2, ageCol],
  ]);
});

it("don't request an item without an answer during an outage", async () => {
  const sheet = await openSheet(1);
  sheet.engine.clear();
  sheet.service.script(down);
  await sheet.clock.until(sheet.refresher.start("workbook"));
  sheet.service.script(() => undefined);
  const before = searches(sheet);
  await sheet.clock.advance(60_000);
  expect(searches(sheet)).toBe(before);
  expect(sheet.column("D")[0]).toMatch(/^#VALUE! /);
});

it("aren't recalculated if INV has forgotten their item", async () => {
  const sheet = await openSheet(60);
  sheet.engine.clear();
  sheet.workbook.selection = [{ sheet: "Plan", row: 0, col: valueCol, rows: 1, cols: 1 }];
  await sheet.clock.until(sheet.refresher.start("selection"));
  const before = searches(sheet);
  await sheet.clock.advance(5_000);
  expect(sheet.refresher.state).toMatchObject({ phase: "done", refreshed: 1 });
  expect(searches(sheet)).toBe(before);
  expect(sheet.workbook.recalculated.flat().map(({ row, col }) => [row, col])).toEqual([
    [0, valueCol],
    [0, ageCol],
  ]);
});

it("show it at once if they are calculated during an outage", async () => {
  const sheet = await openSheet(1);
  await sheet.clock.advance(20 * 60_000);
  sheet.service.script(down);
  void sheet.calculate({ sheet: "Plan", row: 0, col: ageCol });
  void sheet.calculate({ sheet: "Plan", row: 0, col: valueCol });
  await sheet.clock.advance(10 * 60_000);
  expect(sheet.column("D")[0]).toMatch(/^SUCCESS, not answered since 2026-11-20 \d\d:\d\d UTC$/);
});

it("show that a history wasn't answered", async () => {
  const sheet = await openSheet(1);
  const query = { storeNumber: 100, gtin: "0".repeat(14), eventType: "SALES" };
  const { fetchedAtMs } = await sheet.clock.until(sheet.engine.history(query));
  await sheet.clock.advance(20 * 60_000);
  sheet.service.script(({ operation }) =>
    operation === "events" ? new Response("", { status: 503 }) : undefined,
  );
  await sheet.clock.until(sheet.engine.history(query));
  void sheet.calculate({ sheet: "Plan", row: 0, col: ageCol });
  void sheet.calculate({ sheet: "Plan", row: 0, col: valueCol });
  await sheet.clock.advance(100);
  expect(sheet.column("D")).toEqual([`SUCCESS, history not answered since ${minuteOf(fetchedAtMs)} UTC`]);
});

it("INV.STATUS without the argument, or with FALSE, shows no age", async () => {
  const sheet = await openSheet(1);
  sheet.service.script(down);
  await sheet.clock.until(sheet.refresher.start("workbook"));
  for (const stale of [undefined, [[false]], [[null]], [[""]]]) {
    const invocation = { functionName: "STATUS", address: "Plan!F1" } as CustomFunctions.Invocation;
    expect(await shownBy(status([[100]], [["0".repeat(14)]], undefined, stale, invocation))).toBe("SUCCESS");
    expect(sheet.cells.get("Plan!F1")).toMatchObject({ isAgeCell: false });
  }
  expect(await shownBy(status([[100]], [["0".repeat(14)]], undefined, [["yes"]]))).toMatch(
    /^#VALUE! stale: expected TRUE or FALSE, received "yes"/,
  );
});
