/**
 * Freeze and thaw in Excel: the number of round trips, the needs of a very hidden sheet and a spill, and that a failure of
 * any round trip leaves every formula in its cell or in the ledger.
 */
import { createLedger } from "../../../src/workbook/frozen-formulas/ledger";
import { isLedgerSheet } from "../../../src/workbook/frozen-formulas/ledger-sheets";
import type { Workbook } from "../../../src/workbook/port";
import type { NodeExcel } from "../../excel/excel-in-node";
import { enter } from "../../excel/sheet";
import { freezerOf } from "../frozen-formulas/freezer-of";
import { area, openWorkbook } from "./office-stage";

/** Rows of store, item and two formulas, and one formula that spilled. */
async function planning(rows: number): Promise<{ excel: NodeExcel; workbook: Workbook; formulas: string[] }> {
  const { excel, workbook } = openWorkbook("Plan");
  const lines = Array.from({ length: rows }, (_, r) => [
    1000 + r,
    "00012345678905",
    `=INV.QTY(A${r + 1},B${r + 1})`,
    `=INV.QTY(A${r + 1},B${r + 1},"BACKROOM")`,
  ]);
  await workbook.write(area("Plan", 0, 0, rows, 4), lines);
  await workbook.write(area("Plan", 0, 6), [["=INV.EVENTS(A1,B1)"]]);
  await workbook.write(area("Plan", 1, 6), [["spilled"]]);
  excel.sheet("Plan").spills.set("G1", { rows: 2, cols: 1 });
  excel.trips.length = 0;
  return { excel, workbook, formulas: await allFormulas(workbook) };
}

async function allFormulas(workbook: Workbook): Promise<string[]> {
  return (await workbook.findFormulas(() => true)).map(({ row, col, formula }) => `${row},${col} ${formula}`);
}

/** Formulas in cells or in the ledger. */
async function kept(workbook: Workbook): Promise<string[]> {
  const lines = (await createLedger(workbook).read())?.lines ?? [];
  const remembered = lines.map(({ entry }) => `${entry.ref.row},${entry.ref.col} ${entry.formula}`);
  return [...new Set([...(await allFormulas(workbook)), ...remembered])].sort();
}

test("four thousand formulas are frozen and thawed in few round trips", async () => {
  const { excel, workbook, formulas } = await planning(2_000);
  const freezer = freezerOf(workbook);
  excel.trips.length = 0;
  expect(await freezer.freeze("workbook")).toEqual({ cells: 4_001, skipped: [] });
  const freezing = excel.trips.length;
  expect(freezing).toBeLessThan(60);
  expect(await allFormulas(workbook)).toEqual([]);
  const ledgers = excel.sheets.filter(({ name }) => isLedgerSheet(name));
  expect(ledgers.map(({ visibility }) => visibility)).toEqual(["VeryHidden"]);
  expect(excel.active).toBe("Plan");
  excel.trips.length = 0;
  expect(await freezer.thaw("workbook")).toEqual({ cells: 4_001, skipped: [] });
  expect(excel.trips.length).toBeLessThan(60);
  expect(await allFormulas(workbook)).toEqual(formulas);
  expect(excel.sheets.map(({ name }) => name)).toEqual(["Plan"]);
  expect(await workbook.read(area("Plan", 1, 6), "values")).toEqual([[null]]);
});

test("two hundred sheets are frozen and thawed in few round trips", async () => {
  const { excel, workbook } = openWorkbook(...Array.from({ length: 200 }, (_, at) => `Plan ${at}`));
  for (const sheet of excel.sheets) {
    for (let row = 0; row < 10; row += 1) {
      enter(sheet, row, 0, 1000 + row);
      enter(sheet, row, 2, `=INV.QTY(A${row + 1},B${row + 1})`);
    }
  }
  const freezer = freezerOf(workbook);
  excel.trips.length = 0;
  expect(await freezer.freeze("workbook")).toEqual({ cells: 2_000, skipped: [] });
  expect(excel.trips.length).toBeLessThan(60);
  excel.trips.length = 0;
  expect(await freezer.thaw("workbook")).toEqual({ cells: 2_000, skipped: [] });
  expect(excel.trips.length).toBeLessThan(80);
});

test("a failed round trip leaves each formula in its cell or in the ledger, and the work can be finished", async () => {
  let failed = 0;
  for (let at = 0; at < 60; at += 1) {
    const { excel, workbook, formulas } = await planning(3);
    const freezer = freezerOf(workbook);
    excel.failures.push(...Array<null>(at).fill(null), "GeneralException");
    const outcomes = [await freezer.freeze("workbook").catch(() => null)];
    outcomes.push(await freezer.thaw("workbook").catch(() => null));
    excel.failures.length = 0;
    if (outcomes.includes(null)) failed += 1;
    expect(await kept(workbook)).toEqual([...formulas].sort());
    await freezer.finish();
    await freezer.thaw("workbook");
    expect(await allFormulas(workbook)).toEqual(formulas);
    if (!outcomes.includes(null)) break;
  }
  expect(failed).toBeGreaterThan(15);
});

test("a protected sheet is refused by name, and the others are frozen", async () => {
  const { excel, workbook } = await planning(2);
  await workbook.addSheet("Other");
  await workbook.write(area("Other", 0, 0), [["=INV.ENV()"]]);
  excel.sheet("Plan").isProtected = true;
  const { cells, skipped: left } = await freezerOf(workbook).freeze("workbook");
  expect(cells).toBe(1);
  expect(left.map(({ reason }) => reason)).toEqual(['The sheet "Plan" is protected']);
});
