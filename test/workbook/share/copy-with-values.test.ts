/** Copies of sheets with values: what is above the cells, the names, and when INV refuses. */
import { InvError } from "../../../src/domain/errors";
import type { Returned } from "../../../src/cells/cell-record";
import { createCellRegister } from "../../../src/cells/cell-register";
import { createUnanswered } from "../../../src/engine/unanswered";
import type { CellValue } from "../../../src/workbook/port";
import { copyWithValues } from "../../../src/workbook/share/copy-with-values";
import { createVirtualClock } from "../../helpers/virtual-clock";
import { createMemoryWorkbook } from "../memory-workbook";

const nowMs = new Date(2026, 10, 23, 9, 15).getTime();

function facts(change: { environment?: string; oldestMs?: number | null; nowMs?: number } = {}) {
  const clock = createVirtualClock();
  const unanswered = createUnanswered(() => "demo");
  const cells = createCellRegister({ clock, reasons: unanswered.queries });
  const { oldestMs = Date.UTC(2026, 10, 22, 8, 30), ...others } = change;
  return {
    ...{ environment: "Demo", nowMs, clock, cells, unanswered, ...others },
    search: () => Promise.resolve(),
    earlier: { cells: 1, oldestMs: oldestMs ?? ("unknown" as const) },
    get stale() {
      return cells.stale();
    },
  };
}
const area = (sheet: string, row: number, col: number, rows = 1, cols = 1) => ({
  sheet,
  row,
  col,
  rows,
  cols,
});

function plan(...names: string[]) {
  const workbook = createMemoryWorkbook(["Plan", ...names]);
  const cells: CellValue[][] = [
    ["Store", "GTIN", "Shelf"],
    [1234, "00012345678905", "=INV.QTY(A2,B2)"],
    [57, "'=not a formula", '=IFNA(INV.QTY(A3,B3),"")'],
  ];
  for (const sheet of ["Plan", ...names]) {
    for (const [row, line] of cells.entries()) {
      for (const [col, value] of line.entries()) workbook.put({ sheet, row, col }, value);
    }
  }
  workbook.valueOf = (formula) => (formula.startsWith("=INV") ? 12 : "#N/A");
  return workbook;
}

const utc = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace("T", " ");
const sheetNames = async (workbook: ReturnType<typeof plan>) =>
  (await workbook.sheets()).map(({ name }) => name);

it.each([
  [
    "its own sheet's, if all of its cells were calculated",
    ["Plan!C2", "Plan!C3", "Other!C2"],
    "2026-11-23 07:00",
  ],
  ["the workbook's, if some of its cells weren't calculated", ["Plan!C2", "Other!C2"], "2026-11-22 08:30"],
])("the oldest value above a copy is %s", async (_, addresses, expected) => {
  const workbook = plan("Other");
  const given = facts();
  const times: Record<string, number> = {
    "Plan!C3": Date.UTC(2026, 10, 23, 7),
    "Other!C2": Number(given.earlier.oldestMs),
  };
  for (const address of addresses) {
    const cell = given.cells.begin(address, "demo");
    cell.answered(times[address] ?? Date.UTC(2026, 10, 23, 8));
    cell.settled();
  }
  const [copy = ""] = await copyWithValues(workbook, "Plan", given);
  const [[line] = []] = await workbook.read(area(copy, 1, 0), "values");
  expect(line).toBe(`The oldest value was fetched ${expected} UTC.`);
});

it.each([
  ["of unknown age as soon as one of its cells is", { cells: null, oldestMs: "unknown" as const }, null],
  ["of unknown age if the search finds a cell that INV doesn't know", null, ["Plan!C3"]],
  ["as old as its calculated cells if the search finds no other value", null, ["Other!C3"]],
])("is %s, whatever else the register contains", async (words, earlier, found) => {
  const workbook = plan();
  const given = { ...facts(), earlier };
  given.search = () => {
    given.cells.noteUncalculated(found?.map((address) => [address, []]) ?? null);
    return Promise.resolve();
  };
  for (const address of ["Plan!C2", "Plan!C99"]) {
    const cell = given.cells.begin(address, "demo");
    cell.answered(Date.UTC(2026, 10, 23, 8));
    cell.settled();
  }
  const [copy = ""] = await copyWithValues(workbook, "Plan", given);
  const [[line] = []] = await workbook.read(area(copy, 1, 0), "values");
  const own = "The oldest value was fetched 2026-11-23 08:00 UTC.";
  expect(line).toBe(words.startsWith("of unknown") ? "Some values are of unknown age." : own);
});

it("makes a sheet of values with their age and environment, and leaves the original as it is", async () => {
  const workbook = plan();
  const before = await workbook.read(area("Plan", 0, 0, 3, 3), "formulas");
  expect(await copyWithValues(workbook, "Plan", facts())).toEqual(["Plan 2026-11-23"]);
  const copy = "Plan 2026-11-23";
  expect(await workbook.read(area(copy, 0, 0, 6, 3), "values")).toEqual([
    [`Values of "Plan", copied ${utc(nowMs)} UTC. Environment: Demo.`, null, null],
    ["The oldest value was fetched 2026-11-22 08:30 UTC.", null, null],
    [null, null, null],
    ["Store", "GTIN", "Shelf"],
    [1234, "00012345678905", 12],
    [57, "=not a formula", "#N/A"],
  ]);
  expect((await workbook.findFormulas(() => true)).filter(({ sheet }) => sheet === copy)).toEqual([]);
  expect(await workbook.read(area("Plan", 0, 0, 3, 3), "formulas")).toEqual(before);
  expect(workbook.selection).toEqual([area(copy, 0, 0)]);
});

it("makes a dated series of three copies", async () => {
  const workbook = plan();
  const day = 86_400_000;
  for (const later of [0, 7 * day, 14 * day]) {
    await copyWithValues(workbook, "Plan", facts({ nowMs: nowMs + later }));
  }
  expect(await sheetNames(workbook)).toEqual([
    "Plan",
    "Plan 2026-11-23",
    "Plan 2026-11-30",
    "Plan 2026-12-07",
  ]);
});

it("copies all sheets with INV formulas, and no others", async () => {
  const workbook = plan("North");
  await workbook.addSheet("Notes");
  workbook.put({ sheet: "Notes", row: 0, col: 0 }, "=1+1");
  await copyWithValues(workbook, null, facts());
  expect((await sheetNames(workbook)).slice(3)).toEqual(["Plan 2026-11-23", "North 2026-11-23"]);
  // The copies have no formulas, so the next day's copy doesn't copy them.
  await copyWithValues(workbook, null, facts({ nowMs: nowMs + 86_400_000 }));
  expect((await sheetNames(workbook)).slice(5)).toEqual(["Plan 2026-11-24", "North 2026-11-24"]);
});

it("says that age and environment are unknown", async () => {
  const workbook = plan();
  const [copy = ""] = await copyWithValues(workbook, "Plan", facts({ environment: "", oldestMs: null }));
  const [[head], [age]] = (await workbook.read(area(copy, 0, 0, 2, 1), "values")) as [[string], [string]];
  expect(head).toMatch(/Environment: none\.$/);
  expect(age).toBe("Some values are of unknown age.");
});

it("names stale cells of the sheet", async () => {
  const workbook = plan();
  const given = facts();
  for (const address of ["Plan!C2", "Plan!C3", "Other!C9"]) {
    const call = given.cells.begin(address, "demo");
    call.answered(0, true);
    call.settled();
  }
  const [copy = ""] = await copyWithValues(workbook, "Plan", given);
  expect(await workbook.read(area(copy, 1, 0), "values")).toEqual([
    [expect.stringMatching(/ UTC\. Not answered, last known values: C5, C6\.$/)],
  ]);
});

it("numbers further copies of a day as Excel does, also of sheets with long names", async () => {
  const workbook = plan("Plan of all stores North", "Plan of all stores South");
  await copyWithValues(workbook, "Plan", facts());
  await copyWithValues(workbook, "Plan", facts());
  await copyWithValues(workbook, null, facts());
  const copies = (await sheetNames(workbook)).slice(3);
  expect(copies).toEqual([
    "Plan 2026-11-23",
    "Plan 2026-11-23 (2)",
    "Plan 2026-11-23 (3)",
    "Plan of all stores N 2026-11-23",
    "Plan of all stores S 2026-11-23",
  ]);
  await copyWithValues(workbook, "Plan of all stores North", facts());
  expect((await sheetNames(workbook)).at(-1)).toBe("Plan of all stor 2026-11-23 (2)");
});

it("names a grid with one stale value, and cells that this session hasn't calculated", async () => {
  const workbook = plan();
  const given = facts();
  const grid = given.cells.begin("Plan!C2", "demo");
  grid.answered(0);
  grid.answered(0, true);
  grid.failed(new InvError("no-data", "There is no such item."));
  grid.settled();
  const query = { storeNumber: 1234, gtin: "00012345678905" };
  given.cells.noteUncalculated([["Plan!C3", [query]]]);
  given.unanswered.note(query, new InvError("timeout", "No connection."), "demo");
  const [copy = ""] = await copyWithValues(workbook, "Plan", given);
  expect(await workbook.read(area(copy, 1, 0), "values")).toEqual([
    [expect.stringMatching(/ UTC\. Not answered, last known values: C5, C6\.$/)],
  ]);
});

it("refuses an empty and a too large sheet, and adds nothing", async () => {
  const workbook = plan("Large");
  await workbook.addSheet("Empty");
  workbook.put({ sheet: "Large", row: 399_999, col: 1 }, "x");
  const before = await sheetNames(workbook);
  await expect(copyWithValues(workbook, "Empty", facts())).rejects.toThrow(/"Empty" is empty/);
  await expect(copyWithValues(workbook, "Large", facts())).rejects.toThrow(/too large .*400,000 cells/);
  await expect(copyWithValues(createMemoryWorkbook(["A"]), null, facts())).rejects.toThrow(
    /No sheet has INV formulas/,
  );
  expect(await sheetNames(workbook)).toEqual(before);
});

it("refuses while cells of these sheets wait", async () => {
  const workbook = plan();
  const given = facts();
  for (const address of ["Plan!C2", "Plan!C3", "Other!C2"]) given.cells.begin(address, "demo");
  await expect(copyWithValues(workbook, "Plan", given)).rejects.toThrow(
    /^Some cells still wait for a value\./,
  );
  workbook.valueOf = () => "#BUSY!";
  await expect(copyWithValues(workbook, "Plan", facts())).rejects.toThrow(
    /^Some cells still wait for a value\./,
  );
  expect(await sheetNames(workbook)).toEqual(["Plan"]);
});

it("copies a sheet while cells of other sheets wait", async () => {
  const workbook = plan("Other");
  const given = facts();
  given.cells.begin("Other!C2", "demo");
  expect(await copyWithValues(workbook, "Plan", given)).toEqual(["Plan 2026-11-23"]);
});

it("passes on which cells show an error that INV returned, alone or within a larger result", async () => {
  const workbook = plan("Other");
  const given = facts();
  const noData = { error: "#N/A" };
  const fails = (address: string, returned: Returned) => {
    const cell = given.cells.begin(address, "demo");
    cell.failed(new InvError("no-data", "No data."));
    cell.settled(returned);
  };
  fails("Plan!E2", noData);
  fails("Plan!F2", [
    [12, noData],
    [noData, 0],
  ]);
  fails("Other!C2", noData);
  const { copyWithValues: copy } = workbook;
  const passed: unknown[] = [];
  workbook.copyWithValues = (copies) => {
    passed.push(...copies.flatMap(({ errors }) => errors));
    return copy(copies);
  };
  await copyWithValues(workbook, "Plan", given).catch(() => undefined);
  expect(passed).toEqual([
    { sheet: "Plan", row: 1, col: 4 },
    { sheet: "Plan", row: 1, col: 6 },
    { sheet: "Plan", row: 2, col: 5 },
  ]);
});

it.each([
  ["an old value", 11],
  ["0", 0],
])("refuses while a cell shows %s instead of what INV returned, and adds nothing", async (_, shown) => {
  const workbook = plan();
  const given = facts();
  given.cells.begin("Plan!C2", "demo").settled(12);
  const { valueOf } = workbook;
  workbook.valueOf = (formula, ref) => (ref.row === 1 ? shown : valueOf(formula, ref));
  await expect(copyWithValues(workbook, "Plan", given)).rejects.toThrow(
    "Plan!C2 doesn't show what INV returned. Wait a moment or refresh, then copy again.",
  );
  expect(await sheetNames(workbook)).toEqual(["Plan"]);
  workbook.valueOf = valueOf;
  expect(await copyWithValues(workbook, "Plan", given)).toEqual(["Plan 2026-11-23"]);
});
