/**
 * A ledger of the first version: one sheet, no names, digests without a mark, and of what a formula refers to store
 * and item alone. It is read and thawed as it was.
 */
import { cellKey } from "../../../src/workbook/addresses";
import { ledgerSheet } from "../../../src/workbook/ledger/ledger-sheets";
import type { CellValue } from "../../../src/workbook/port";
import { createMemoryWorkbook } from "../memory-workbook";
import { freezeStage } from "./stage";

const sheet = "Plan";

/** C1 holds a number, C2 an error; the digests are those that the first version wrote. */
async function frozenBefore() {
  const workbook = createMemoryWorkbook([sheet]);
  const put = (row: number, values: readonly CellValue[]) =>
    values.forEach((value, col) => workbook.put({ sheet, row, col }, value));
  put(0, [1001, "10000000000001", 10]);
  put(1, [1002, "10000000000002", "#N/A"]);
  const line = (row: number, shown: string, digest: string): CellValue[] => [
    ...["id-1", sheet, `C${row}`, `INV.QTY(A${row},B${row})`, "INV.QTY(RC[-2],RC[-1])", 1, 1, shown, digest],
    ...[String(1000 + row), `1000000000000${row}`, "2026-11-20T10:00:00.000Z", "demo"],
  ];
  await workbook.addSheet(ledgerSheet, { veryHidden: true });
  const rows = [
    ["INV ledger", 1, "none", "Formulas", 4],
    ["Sheet id"],
    line(1, "10", "20byliaq4og"),
    line(2, "#N/A", "26a462wqfn"),
  ];
  for (const [row, cells] of rows.entries()) {
    cells.forEach((value, col) => workbook.put({ sheet: ledgerSheet, row, col }, value));
  }
  return { workbook, freezer: freezeStage(workbook).freezer };
}

it("is thawed, and its sheet goes", async () => {
  const { workbook, freezer } = await frozenBefore();
  expect(await freezer.frozen()).toMatchObject({ cells: 2, asOf: "2026-11-20T10:00:00.000Z" });
  expect(await freezer.thaw("workbook")).toEqual({ cells: 2, left: [] });
  expect(workbook.cells.get(cellKey({ sheet, row: 1, col: 2 }))).toBe("=INV.QTY(A2,B2)");
  expect((await workbook.sheets()).map(({ name }) => name)).toEqual([sheet]);
});

it("puts nothing back beside another store", async () => {
  const { workbook, freezer } = await frozenBefore();
  workbook.put({ sheet, row: 0, col: 0 }, 4444);
  expect(await freezer.thaw("workbook")).toMatchObject({
    cells: 1,
    left: [{ reason: "What the formula refers to is another now", cells: [{ row: 0 }] }],
  });
});

it("takes what is frozen now into sheets of their own", async () => {
  const { workbook, freezer } = await frozenBefore();
  workbook.put({ sheet, row: 2, col: 2 }, "=INV.QTY(A3,B3)");
  workbook.valueOf = () => 5;
  await freezer.freeze("workbook");
  expect(await freezer.thaw("workbook")).toEqual({ cells: 3, left: [] });
});
