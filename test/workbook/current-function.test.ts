import { functionAtSelection, functionIn } from "../../src/workbook/current-function";
import { createVirtualClock } from "../helpers/virtual-clock";
import { createMemoryWorkbook } from "./memory-workbook";

it.each([
  ['=INV.QTY(1234,"00012345678905")', "qty", "qty"],
  ["=IFNA(inv.eventqty(A2,B2,C2),0)+INV.QTY(A2,B2)", "eventqty", "qty"],
  ["=INV.ASOF(", "asof", "asof"],
  ['=SUM(1,"INV.QTY(")', null, null],
  ['="INV.QTY', null, null],
  ["=MYINV.QTY(1)", null, null],
  ["INV.QTY", null, null],
  ["", null, null],
])("of %s the first is %s, the last %s", (formula, first, last) => {
  expect([functionIn(formula, "first"), functionIn(formula, "last")]).toEqual([first, last]);
});

it("belongs to the selected cell", async () => {
  const clock = createVirtualClock();
  const workbook = createMemoryWorkbook();
  const sheet = await workbook.addSheet("Plan");
  await workbook.write({ sheet, row: 2, col: 1, rows: 1, cols: 1 }, [["=INV.STATUS(A1,B1)"]]);
  await workbook.select({ sheet, row: 2, col: 1, rows: 3, cols: 3 });
  expect(await functionAtSelection(workbook, clock)).toBe("status");
  await workbook.select({ sheet, row: 0, col: 0, rows: 1, cols: 1 });
  expect(await functionAtSelection(workbook, clock)).toBeNull();
  expect(await functionAtSelection(null, clock)).toBeNull();
});
