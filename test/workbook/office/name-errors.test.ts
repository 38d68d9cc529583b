/**
 * #NAME? that stays until the formula is entered again (reported: office-js 6355, 6611, 6395), over Microsoft's runtime.
 * INV finds such cells, enters them again in few round trips, and leaves all other content alone.
 */
import { createCellRegister } from "../../../src/cells/cell-register";
import { enterAgain, findNameErrors } from "../../../src/workbook/inspect/name-errors";
import { createVirtualClock } from "../../helpers/virtual-clock";
import type { Workbook } from "../../../src/workbook/port";
import { area, cultures, openWorkbook } from "./office-stage";

const noAnswers = () => createCellRegister({ clock: createVirtualClock() });

const qty = (row: number) => `=INV.QTY(A${row},B${row})`;

async function entered(workbook: Workbook) {
  return enterAgain(workbook, await findNameErrors(workbook, noAnswers()));
}

it.each(cultures)(
  "a sheet of another program is entered again and shows values, and nothing else is written, in %s Excel",
  async (_name, culture) => {
    const { excel, workbook } = openWorkbook("Plan", "Other");
    excel.culture = culture;
    const rows = Array.from({ length: 300 }, (_, r) => [
      qty(r + 1),
      r % 3 === 0 ? "=SOMETHING.ELSE()" : "note",
    ]);
    await workbook.write(area("Plan", 0, 2, 300, 2), rows);
    const plan = excel.sheet("Plan");
    // Another error than #NAME?.
    plan.shown.set("C1", { error: "#N/A" });
    for (let row = 1; row <= 300; row += 1) {
      if (row % 2 === 0) plan.unrecognized.add(`C${row}`);
      if (row % 3 === 1) plan.unrecognized.add(`D${row}`);
    }
    plan.inputs.length = 0;
    excel.trips.length = 0;
    expect(await entered(workbook)).toEqual({ cells: 150, skipped: 0, overwritten: [] });
    expect([...plan.unrecognized].every((cell) => cell.startsWith("D"))).toBe(true);
    expect(plan.inputs).toHaveLength(150);
    expect(excel.trips.length).toBeLessThan(60);
    expect(await findNameErrors(workbook, noAnswers())).toEqual([]);
  },
);

it("formulas in the spelling of files are entered as people read them, also behind a name", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  excel.names.push({ name: "Stock", scope: null, formula: "=LAMBDA(s,i,INV.QTY(s,i))", visible: true });
  await workbook.write(area("Plan", 0, 2, 1, 2), [["=[2]!_xldudf_INV_QTY(A1,B1)", "=Stock(A1,B1)"]]);
  excel.sheet("Plan").unrecognized.add("C1").add("D1");
  expect(await entered(workbook)).toMatchObject({ cells: 2 });
  expect(await workbook.read(area("Plan", 0, 2, 1, 2), "formulas")).toEqual([[qty(1), "=Stock(A1,B1)"]]);
});

it("finds again cells that show #NAME? for another reason, and cells that can't be written", async () => {
  const { excel, workbook } = openWorkbook("Plan", "Locked");
  await workbook.write(area("Plan", 0, 2), [["=INV.QTY(A1,Unknown)"]]);
  await workbook.write(area("Locked", 0, 2), [[qty(1)]]);
  excel.sheet("Plan").shown.set("C1", { error: "#NAME?" });
  excel.sheet("Locked").unrecognized.add("C1");
  excel.sheet("Locked").isProtected = true;
  expect(await entered(workbook)).toEqual({ cells: 1, skipped: 1, overwritten: [] });
  const still = await findNameErrors(workbook, noAnswers());
  expect(still.map(({ sheet }) => sheet)).toEqual(["Plan", "Locked"]);
});

it("names the unknown function of a formula whose INV call was answered, and doesn't enter it again", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  await workbook.write(area("Plan", 0, 2), [["=WENNNV(INV.QTY(A1,B1),Rest_1)"]]);
  excel.sheet("Plan").shown.set("C1", { error: "#NAME?" });
  excel.names.push({ name: "Rest_1", scope: null, formula: "=1", visible: true });
  const register = createCellRegister({ clock: createVirtualClock() });
  expect(await findNameErrors(workbook, register)).toMatchObject([{ unknownName: null }]);
  register.begin("Plan!C1", "demo");
  expect(await findNameErrors(workbook, register)).toMatchObject([{ unknownName: "WENNNV" }]);
});

it("doesn't overwrite a formula that changed during the work", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  await workbook.write(area("Plan", 0, 2), [[qty(1)]]);
  excel.sheet("Plan").unrecognized.add("C1");
  const found = await findNameErrors(workbook, noAnswers());
  await workbook.write(area("Plan", 0, 2), [["=1+1"]]);
  expect(await enterAgain(workbook, found)).toMatchObject({ cells: 0, skipped: 1 });
  expect(await workbook.read(area("Plan", 0, 2), "formulas")).toEqual([["=1+1"]]);
});

// When one cell of a column gets a formula, Excel fills it over the column's other cells (office-js 5909, 6745, 2093).
it("in a Table, restores typed cells that Excel fills over", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  const lines = [
    ["Store", "GTIN", "Qty"],
    [1, 1, qty(2)],
    [2, 1, 17],
    [3, 1, qty(4)],
  ];
  await workbook.write(area("Plan", 0, 0, 4, 3), lines);
  await workbook.addTable(area("Plan", 0, 0, 4, 3), "Planning");
  excel.sheet("Plan").unrecognized.add("C2");
  excel.fillsTables = true;
  expect(await entered(workbook)).toMatchObject({ cells: 1 });
  expect(excel.names).toEqual([]);
  expect(await workbook.read(area("Plan", 1, 2, 3, 1), "formulas")).toEqual([[qty(2)], [17], [qty(4)]]);
});
