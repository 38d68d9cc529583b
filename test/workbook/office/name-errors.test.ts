/**
 * #NAME? that stays until the formula is entered again (reported: office-js 6355, 6611, 6395), over Microsoft's runtime: INV finds such
 * cells in any language, and writes nothing.
 */
import { createCellRegister } from "../../../src/cells/cell-register";
import { findNameErrors } from "../../../src/workbook/inspect/name-errors";
import { createVirtualClock } from "../../helpers/virtual-clock";
import { area, cultures, openWorkbook } from "./office-stage";

const createRegister = () => createCellRegister({ clock: createVirtualClock() });

const qty = (row: number) => `=INV.QTY(A${row},B${row})`;

it.each(cultures)("are found in %s Excel among other formulas and errors", async (_name, culture) => {
  const { excel, workbook } = openWorkbook("Plan");
  excel.culture = culture;
  const rows = Array.from({ length: 30 }, (_, r) => [qty(r + 1), "=SOMETHING.ELSE()"]);
  await workbook.write(area("Plan", 0, 2, 30, 2), rows);
  const plan = excel.sheet("Plan");
  // The file's own answers: no such value, and not answered.
  plan.shown.set("C1", { error: "#N/A" }).set("C3", { error: "#VALUE!" }).set("C5", { error: "#BUSY!" });
  for (let row = 2; row <= 30; row += 2) plan.unrecognized.add(`C${row}`).add(`D${row}`);
  plan.inputs.length = 0;
  const found = await findNameErrors(workbook, createRegister());
  expect(found.map(({ row, col }) => [row, col])).toEqual(
    Array.from({ length: 15 }, (_, at) => [2 * at + 1, 2]),
  );
  expect(plan.inputs).toEqual([]);
});

it("are found in an Excel of another language that can't name its errors", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  excel.culture = cultures.at(-1)![1];
  excel.excelApi = 15;
  await workbook.write(area("Plan", 0, 2), [[qty(1)]]);
  excel.sheet("Plan").unrecognized.add("C1");
  expect(await findNameErrors(workbook, createRegister())).toHaveLength(1);
});

it("don't include a formula that INV has calculated, whose other name is unknown", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  await workbook.write(area("Plan", 0, 2), [[`=WENNNV(${qty(1).slice(1)},0)`]]);
  excel.sheet("Plan").unrecognized.add("C1");
  const register = createRegister();
  expect(await findNameErrors(workbook, register)).toHaveLength(1);
  register.begin("Plan!C1", "demo").settled();
  expect(await findNameErrors(workbook, register)).toEqual([]);
});
