/** Finding and recalculating INV formulas in Excel: all of them, only them, in few round trips. */
import { isInvFormula } from "../../../src/formula/calls";
import type { CellRef } from "../../../src/workbook/port";
import { cellsOf, enter, type HostSheet } from "../../excel/sheet";
import { openWorkbook } from "./office-stage";

/** A planning sheet: store, GTIN, an INV formula in column C, a formula of Excel in D. */
function fillPlan(sheet: HostSheet, rows: number): void {
  for (let row = 0; row < rows; row += 1) {
    enter(sheet, row, 0, 1234);
    enter(sheet, row, 1, "'00012345678905");
    enter(sheet, row, 2, `=IFNA(INV.QTY(A${row + 1},B${row + 1}),"")`);
    enter(sheet, row, 3, `=C${row + 1}*2`);
  }
}

const refs = (sheet: string, rows: number, col = 2): CellRef[] =>
  Array.from({ length: rows }, (_, row) => ({ sheet, row, col }));

it("hidden rows are read many at a time, and none is hidden in an Excel that can't tell", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  for (const row of [2, 50_000]) excel.sheet("Plan").hiddenRows.add(row);
  const read = async () => {
    const rows = await workbook.hiddenRows({ sheet: "Plan", row: 1, col: 0, rows: 50_001, cols: 1 });
    return { rows: rows.length, hidden: [...rows.keys()].filter((at) => rows[at] === true) };
  };
  const before = excel.trips.length;
  expect(await read()).toEqual({ rows: 50_001, hidden: [1, 49_999] });
  expect(excel.trips.length - before).toBe(2);
  excel.excelApi = 8;
  expect(await read()).toEqual({ rows: 50_001, hidden: [] });
});

describe("finding", () => {
  it.each([0, 1, 99, 100, 101, 10_000])("%i formulas gives each with its place", async (count) => {
    const { excel, workbook } = openWorkbook("Plan");
    fillPlan(excel.sheet("Plan"), count);
    const found = await workbook.findFormulas(isInvFormula);
    expect(found).toHaveLength(count);
    if (count > 0) {
      expect(found.at(-1)).toEqual({
        sheet: "Plan",
        row: count - 1,
        col: 2,
        formula: `=IFNA(INV.QTY(A${count},B${count}),"")`,
      });
    }
  });

  it("reads hidden and protected sheets, and skips empty ones", async () => {
    const { excel, workbook } = openWorkbook("Plan", "Empty", "Hidden", "Locked");
    fillPlan(excel.sheet("Plan"), 3);
    fillPlan(excel.sheet("Hidden"), 2);
    fillPlan(excel.sheet("Locked"), 1);
    excel.sheet("Hidden").visibility = "Hidden";
    excel.sheet("Locked").isProtected = true;
    const found = await workbook.findFormulas(isInvFormula);
    expect(found.map(({ sheet }) => sheet)).toEqual(["Plan", "Plan", "Plan", "Hidden", "Hidden", "Locked"]);
    expect(excel.trips).toHaveLength(4);
  });

  it("200,000 formulas among a million cells takes a bounded number of round trips", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    const plan = excel.sheet("Plan");
    fillPlan(plan, 200_000);
    plan.formattedTo = { rows: 1_000_000, cols: 20 };
    const found = await workbook.findFormulas(isInvFormula);
    expect(found).toHaveLength(200_000);
    expect(excel.trips.length).toBeLessThanOrEqual(20);
  });

  it("reads every cell of a huge protected sheet, because Excel doesn't say where formulas are", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    const plan = excel.sheet("Plan");
    fillPlan(plan, 50);
    plan.formattedTo = { rows: 100_000, cols: 5 };
    plan.isProtected = true;
    expect(await workbook.findFormulas(isInvFormula)).toHaveLength(50);
  });

  it("asks again in smaller parts when an answer was too large, and loses nothing", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    fillPlan(excel.sheet("Plan"), 2000);
    for (let row = 0; row < 2000; row += 1) enter(excel.sheet("Plan"), row, 4, `=${"A1+".repeat(1500)}0`);
    const found = await workbook.findFormulas(isInvFormula);
    expect(found.map(({ row }) => row)).toEqual(refs("Plan", 2000).map(({ row }) => row));
  });

  it("skips text that only looks like a formula", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    fillPlan(excel.sheet("Plan"), 2);
    enter(excel.sheet("Plan"), 2, 2, "'=INV.QTY(A1,B1)");
    expect((await workbook.findFormulas(isInvFormula)).map(({ row }) => row)).toEqual([0, 1]);
  });

  it("starts again if a sheet is deleted during the work", async () => {
    const { excel, workbook } = openWorkbook("Plan", "Other");
    fillPlan(excel.sheet("Plan"), 3);
    fillPlan(excel.sheet("Other"), 3);
    excel.failures.push(null, null, "ItemNotFound");
    expect(await workbook.findFormulas(isInvFormula)).toHaveLength(6);
  });

  it("says why when Excel keeps refusing", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    excel.failures.push("GeneralException");
    await expect(workbook.findFormulas(isInvFormula)).rejects.toMatchObject({
      code: "internal",
      message: expect.stringContaining("GeneralException") as unknown,
    });
  });
});

describe("recalculating", () => {
  it("marks exactly the given cells and calculates them", async () => {
    const { excel, workbook } = openWorkbook("Plan", "Other");
    await workbook.recalculate([...refs("Plan", 500), ...refs("Plan", 500, 3), ...refs("Other", 2, 0)]);
    expect(excel.sheet("Plan").dirty).toEqual(["C1:D500"]);
    expect(excel.sheet("Other").dirty).toEqual(["A1:A2"]);
    expect(excel.sheet("Plan").ran).toHaveLength(1000);
    expect(excel.trips).toHaveLength(2);
  });

  it("reaches formulas any number of steps away in automatic mode", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    const plan = excel.sheet("Plan");
    ["=INV.QTY(A1,B1)", "=C1*2", "=D1+1", "=IF(E1>0,1,0)", "=A1"].forEach((formula, index) =>
      enter(plan, 0, 2 + index, formula),
    );
    await workbook.recalculate(refs("Plan", 1));
    expect(plan.ran).toEqual(["C1", "D1", "E1", "F1"]);
  });

  it("in manual mode leaves the formulas of others to F9", async () => {
    const { excel, workbook } = openWorkbook("Plan", "Other");
    excel.calculationMode = "Manual";
    excel.sheet("Other").waiting.add("Z9");
    await workbook.recalculate([...refs("Plan", 500), ...refs("Other", 2, 0)]);
    expect(excel.sheet("Plan").calculated).toEqual(["C1:C500"]);
    expect(excel.sheet("Other").ran).toEqual(["A1", "A2"]);
    expect(excel.trips).toHaveLength(2);
  });

  it("of no cells sends nothing to Excel", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    await workbook.recalculate([]);
    expect(excel.trips).toEqual([]);
  });

  it("of a deleted or protected sheet doesn't affect the other sheets", async () => {
    const { excel, workbook } = openWorkbook("Plan", "Locked", "Other");
    excel.sheet("Locked").isProtected = true;
    const given = ["Plan", "Gone", "Locked", "Other"].flatMap((sheet) => refs(sheet, 3));
    const refused = await workbook.recalculate(given);
    expect(refused.flatMap(({ areas }) => areas).map(({ sheet }) => sheet)).toEqual(["Gone", "Locked"]);
    expect(excel.sheet("Plan").ran).toEqual(["C1", "C2", "C3"]);
    expect(excel.sheet("Other").ran).toEqual(["C1", "C2", "C3"]);
  });

  it("says that this Excel is too old", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    excel.excelApi = 8;
    await expect(workbook.recalculate(refs("Plan", 1))).rejects.toMatchObject({
      message: expect.stringContaining("Update Excel") as unknown,
    });
  });
});

test("a refresh of 10,000 formulas, found and marked, takes at most 20 round trips", async () => {
  const { excel, workbook } = openWorkbook("Plan", "Other");
  fillPlan(excel.sheet("Plan"), 6000);
  fillPlan(excel.sheet("Other"), 4000);
  const found = await workbook.findFormulas(isInvFormula);
  await workbook.recalculate(found);
  expect(cellsOf(excel.sheet("Plan").dirty)).toHaveLength(6000);
  expect(cellsOf(excel.sheet("Other").dirty)).toHaveLength(4000);
  expect(excel.trips.length).toBeLessThanOrEqual(20);
});
