/**
 * The cost of a refresh's comparison in Excel: round trips and bytes of its one read, with Microsoft's own runtime. Errors and spilled
 * areas are read correctly in any language.
 */
import { createCellRegister } from "../../../src/cells/cell-register";
import type { Returned } from "../../../src/cells/cell-record";
import { startComparison } from "../../../src/workbook/what-changed/comparison";
import { createEditRecorder } from "../../../src/workbook/what-changed/edits-since";
import type { ChangeReport } from "../../../src/workbook/what-changed/report";
import { cellAddresses } from "../../../src/workbook/addresses";
import type { FormulaCell, Workbook } from "../../../src/workbook/port";
import type { NodeExcel } from "../../excel/excel-in-node";
import { enter, type HostSheet } from "../../excel/sheet";
import { createVirtualClock } from "../../helpers/virtual-clock";
import { area, cultures, openWorkbook, settle } from "./office-stage";

const megabyte = 1024 * 1024;

/** The formulas that a search would find. */
function formulasOf(sheet: HostSheet): FormulaCell[] {
  return [...sheet.cells].flatMap(([row, line]) =>
    [...line].flatMap(([col, formula]) =>
      typeof formula === "string" && formula.startsWith("=") ? [{ sheet: "Plan", row, col, formula }] : [],
    ),
  );
}

/** Compares what the formulas show with what INV returns to them then, by address. */
async function compared(
  { excel, workbook }: { excel: NodeExcel; workbook: Workbook },
  returned: Readonly<Record<string, Returned>>,
): Promise<{ report: ChangeReport; trips: number; bytes: readonly number[] }> {
  const clock = createVirtualClock();
  const cells = createCellRegister({ clock });
  const formulas = formulasOf(excel.sheet("Plan"));
  const from = excel.requests.length;
  const comparison = startComparison({ workbook, cells, clock }, createEditRecorder(workbook)());
  let isRead = false;
  void comparison
    .readBefore(
      formulas.map((ref) => ({
        ...{ ref, address: cellAddresses(ref)[0], invCell: undefined },
        ...{ queries: [], sums: [], unpredictable: 1, isRefused: false, isSkippable: false },
        ...{ isReadFromText: false, isChoosing: false, showsResult: "always", quantities: "everywhere" },
      })),
    )
    .then(() => (isRead = true));
  await reach(() => isRead);
  for (const [address, value] of Object.entries(returned)) {
    const report = cells.begin(`Plan!${address}`, "demo");
    report.answered(clock.now());
    report.settled(value);
  }
  let report: ChangeReport | null = null;
  void comparison.report().then((found) => (report = found));
  await reach(() => report !== null);
  const requests = excel.requests.slice(from);

  /** Lets time pass here and over the bridge. */
  async function reach(isSo: () => boolean): Promise<void> {
    for (let look = 0; !isSo() && look < 1_000; look += 1) {
      await settle();
      await clock.advance(100);
    }
  }
  return {
    report: report!,
    trips: requests.length,
    bytes: requests.flatMap(({ bytes, answerBytes }) => [bytes, answerBytes]),
  };
}

function fill(sheet: HostSheet, rows: number, every = 1): void {
  for (let row = 0; row < rows; row += 1) {
    enter(sheet, row * every, 2, `=INV.QTY(A${row + 1},B${row + 1})`);
    sheet.shown.set(`C${row * every + 1}`, 100 + (row % 7));
  }
}

it.each([
  ["in a column", 1],
  ["in every other row", 2],
])("10,000 places %s cost at most three round trips", async (_how, every) => {
  const opened = openWorkbook("Plan");
  fill(opened.excel.sheet("Plan"), 10_000, every);
  const { report, trips, bytes } = await compared(opened, { C1: 0, [`C${every + 1}`]: 1_000 });
  expect(report).toMatchObject({
    movedSheets: [],
    changed: [{ cell: { row: every } }, { cell: { row: 0 }, values: [{ before: 100, after: 0 }] }],
  });
  expect(trips).toBeLessThanOrEqual(3);
  expect(Math.max(...bytes)).toBeLessThan(2 * megabyte);
});

it("10,000 places that grids have filled cost at most three round trips", async () => {
  const opened = openWorkbook("Plan");
  const plan = opened.excel.sheet("Plan");
  const grid = Array.from({ length: 900 }, (_, row) =>
    Array.from({ length: 4 }, (_unused, col) => row * 4 + col),
  );
  for (const [index, cell] of ["C1", "H1", "M1"].entries()) {
    enter(plan, 0, 2 + 5 * index, "=INV.QTY(A1:A900,B1:E1)");
    plan.shown.set(cell, 0);
    plan.spills.set(cell, { rows: 900, cols: 4 });
    for (let at = 1; at < 3_600; at += 1) enter(plan, Math.floor(at / 4), 2 + 5 * index + (at % 4), at);
  }
  const other = grid.map((line, row) => (row === 2 ? [8, 999, 10, 11] : line));
  const { report, trips } = await compared(opened, { C1: other, H1: grid });
  expect(report.changed).toMatchObject([
    { cell: { row: 0, col: 2 }, of: 3_600, values: [{ row: 2, col: 3, before: 9, after: 999 }] },
  ]);
  expect(trips).toBeLessThanOrEqual(3);
});

it("100,000 places cost at most 5 MB in all, and no message more than 2 MB", async () => {
  const opened = openWorkbook("Plan");
  fill(opened.excel.sheet("Plan"), 100_000);
  const { report, bytes } = await compared(opened, { C100000: 0 });
  expect(report).toMatchObject({
    isTooLarge: false,
    changed: [{ cell: { row: 99_999 }, values: [{ after: 0 }] }],
  });
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(5 * megabyte);
  expect(Math.max(...bytes)).toBeLessThan(2 * megabyte);
});

it.each(cultures)("errors are compared by their English names, in %s Excel", async (_name, culture) => {
  const opened = openWorkbook("Plan");
  opened.excel.culture = culture;
  const plan = opened.excel.sheet("Plan");
  fill(plan, 4);
  plan.shown.set("C3", { error: "#BUSY!" });
  plan.shown.set("C4", { error: "#N/A" });
  const na = { error: "#N/A" };
  const { report } = await compared(opened, { C1: na, C3: 3, C4: na });
  const shown = [...report.changed, ...report.added].map(({ values: [{ row, after }] }) => [row, after]);
  expect(shown).toEqual([
    [0, na],
    [2, 3],
  ]);
});

it("nothing is written and nothing saved", async () => {
  const opened = openWorkbook("Plan");
  const plan = opened.excel.sheet("Plan");
  fill(plan, 3);
  plan.inputs.length = 0;
  await compared(opened, { C1: 0 });
  expect(plan.inputs).toEqual([]);
  expect(plan.formats).toEqual([]);
  expect(opened.excel.saves).toEqual([]);
  expect(await opened.workbook.contentsOf([area("Plan", 0, 2), area("Plan", 1, 2, 2)])).toEqual([
    [[100]],
    [[101], [102]],
  ]);
});
