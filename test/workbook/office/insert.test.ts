/** Inserting a formula over Microsoft's runtime: few round trips, text formats removed, a protected sheet refused. */
import { readInsertList } from "../../../src/workbook/insert/list";
import { putFormula } from "../../../src/workbook/insert/put";
import { area, openWorkbook } from "./office-stage";

const rows = 10_000;

async function listed() {
  const { excel, workbook } = openWorkbook("Plan");
  const lines = Array.from({ length: rows }, (_, at) => [
    1000 + (at % 50),
    String(17 + at).padStart(14, "0"),
  ]);
  await workbook.write(area("Plan", 0, 0, rows + 1, 2), [["Store", "GTIN"], ...lines]);
  excel.trips.length = 0;
  return { excel, workbook };
}

test("a list of ten thousand rows is found and filled in few round trips", async () => {
  const { excel, workbook } = await listed();
  expect(await readInsertList(workbook, "Plan")).toMatchObject({
    firstRow: 1,
    rows,
    storeCol: 0,
    itemCol: 1,
  });
  expect(excel.trips.length).toBeLessThanOrEqual(6);
  excel.trips.length = 0;
  const options = {
    formula: '=INV.QTY(A2,B2,"ALL")',
    area: area("Plan", 1, 2, rows),
    overwrite: false,
  };
  expect(await putFormula(workbook, options)).toEqual({ kind: "put", cells: rows });
  expect(excel.trips.length).toBeLessThanOrEqual(6);
  expect(await workbook.read(area("Plan", rows, 2), "formulas")).toEqual([
    [`=INV.QTY(A${rows + 1},B${rows + 1},"ALL")`],
  ]);
});

test("long formulas for many blank cells go in parts that Excel on the web accepts", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  const count = 12_000;
  const formula = `=IFNA(INV.QTY(A1,"00012345678905"),"${"not at this store, ".repeat(20)}")`;
  const target = { formula, area: area("Plan", 0, 2, count), overwrite: false };
  expect(await putFormula(workbook, target)).toEqual({ kind: "put", cells: count });
  expect(excel.requests.filter(({ refused }) => refused !== null)).toEqual([]);
  expect(excel.sheet("Plan").cells.size).toBe(count);
});

// When one cell of a column gets a formula, Excel fills it over the column's other cells (office-js 5909, 6745, 2093).
test("in a Table, the column's other cells keep what a person typed", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  const lines = [
    ["Store", "GTIN", "Qty"],
    [1, 1, 16],
    [2, 1, ""],
    [3, 1, 18],
  ];
  await workbook.write(area("Plan", 0, 0, 4, 3), lines);
  await workbook.addTable(area("Plan", 0, 0, 4, 3), "Planning");
  excel.fillsTables = true;
  const options = { formula: "=INV.QTY(A3,B3)", area: area("Plan", 2, 2), overwrite: false };
  await putFormula(workbook, options);
  expect(await workbook.read(area("Plan", 1, 2, 3, 1), "formulas")).toEqual([
    [16],
    ["=INV.QTY(A3,B3)"],
    [18],
  ]);
  expect(excel.names).toEqual([]);
});

test("refuses a protected sheet, merged cells, spilled cells, and a sheet that was deleted", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  const sheet = excel.sheet("Plan");
  const options = { formula: "=INV.QTY(A2,B2)", area: area("Plan", 1, 2, 3), overwrite: true };
  const refusal = () => putFormula(workbook, options).catch((error: unknown) => String(error));
  sheet.isProtected = true;
  expect(await refusal()).toMatch(/C2:C4 of the sheet "Plan", because it is protected/);
  sheet.isProtected = false;
  sheet.merged.push({ row: 3, col: 2, rows: 1, cols: 2 });
  expect(await refusal()).toMatch(/merged cells/);
  sheet.merged.length = 0;
  sheet.spills.set("B2", { rows: 2, cols: 2 });
  expect(await refusal()).toMatch(/fills several cells/);
  sheet.spills.clear();
  expect(sheet.cells.size).toBe(0);
  expect(excel.names).toEqual([]);
  expect(await putFormula(workbook, options)).toEqual({ kind: "put", cells: 3 });
  excel.sheets.length = 0;
  expect(await refusal()).toMatch(/no longer there/);
});
