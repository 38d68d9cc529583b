/**
 * Errors stay errors wherever INV writes values: `=SUM` over 5, #N/A, 7 is #N/A in a copy too. Excel reports an error
 * by the cell's value type (`Range.valueTypes`, documented). Its text in `values` may be in the person's language, so the
 * tests use both.
 */
import { copyWithValues } from "../../../src/workbook/share/copy-with-values";
import { german } from "../../excel/culture";
import { contents, enter } from "../../excel/sheet";
import { area, cultures, nothingAsked, openWorkbook } from "./office-stage";

const column = area("Plan", 0, 2, 3);

function plan(error = "#N/A") {
  const { excel, workbook } = openWorkbook("Plan");
  const sheet = excel.sheet("Plan");
  for (let row = 0; row < 3; row += 1) enter(sheet, row, 2, `=INV.QTY(A${row + 1},B${row + 1})`);
  sheet.shown.set("C1", 5).set("C2", { error }).set("C3", 7);
  return { excel, workbook, sheet };
}

describe.each(cultures)("in %s Excel", (_name, culture) => {
  it.each(["#N/A", "#VALUE!", "#DIV/0!"])("a copied %s is an error", async (error) => {
    const { excel, workbook } = plan(error);
    excel.culture = culture;
    expect(await workbook.contentsOf([column])).toEqual([[[5], [{ error }], [7]]]);
    const [copy = ""] = await copyWithValues(workbook, "Plan", nothingAsked);
    expect(contents(excel.sheet(copy), { row: 4, col: 2, rows: 1, cols: 1 }, "values")).toEqual([
      [{ error }],
    ]);
  });

  it("an error differs from a text that looks the same", async () => {
    const { excel, sheet, workbook } = plan();
    excel.culture = culture;
    sheet.shown.set("C2", "#N/A");
    const [copy = ""] = await copyWithValues(workbook, "Plan", nothingAsked);
    expect(contents(excel.sheet(copy), { row: 4, col: 2, rows: 1, cols: 1 }, "values")).toEqual([["#N/A"]]);
    expect(await workbook.contentsOf([{ ...column, sheet: copy, row: 3 }])).toEqual([[[5], ["#N/A"], [7]]]);
  });

  it("a cell that still waits is recognized, and nothing is copied", async () => {
    const { excel, workbook } = plan("#BUSY!");
    excel.culture = culture;
    await expect(copyWithValues(workbook, "Plan", nothingAsked)).rejects.toThrow(/Some cells still wait/);
    expect(excel.sheets.map(({ name }) => name)).toEqual(["Plan"]);
  });
});

// Excel 2021 can't report which error #NV is.
it.each(["#NV", "#SPILL!"])(
  "writes an error named %s as an error, never as text, so that totals don't skip it",
  async (name) => {
    const { excel, workbook } = plan();
    excel.culture = german;
    await workbook.write(area("Plan", 5, 0), [[{ error: name }]], { asText: true });
    expect(contents(excel.sheet("Plan"), { row: 5, col: 0, rows: 1, cols: 1 }, "values")).toEqual([
      [{ error: "#VALUE!" }],
    ]);
  },
);

it("values without a # cost no request for their type", async () => {
  const { excel, workbook, sheet } = plan();
  sheet.shown.set("C2", 6);
  await workbook.contentsOf([column]);
  expect(excel.trips).toHaveLength(1);
});
