/**
 * Errors stay errors wherever INV writes values: `=SUM` over 5, #N/A, 7 is #N/A after a freeze too. Excel reports an error
 * by the cell's value type (`Range.valueTypes`, documented). Its text in `values` may be in the person's language, so the
 * tests use both.
 */
import { shareCopy } from "../../../src/workbook/share/share-copy";
import { english, german } from "../../excel/culture";
import { contents, enter } from "../../excel/sheet";
import { freezerOf } from "../frozen-formulas/freezer-of";
import { area, openWorkbook } from "./office-stage";

const column = area("Plan", 0, 2, 3);

function plan(error = "#N/A") {
  const { excel, workbook } = openWorkbook("Plan");
  const sheet = excel.sheet("Plan");
  for (let row = 0; row < 3; row += 1) enter(sheet, row, 2, `=INV.QTY(A${row + 1},B${row + 1})`);
  sheet.shown.set("C1", 5).set("C2", { error }).set("C3", 7);
  return { excel, workbook, sheet, freezer: freezerOf(workbook) };
}

describe.each([
  ["English", english],
  ["German", german],
])("in %s Excel", (_name, culture) => {
  it.each(["#N/A", "#VALUE!", "#DIV/0!"])("a frozen %s is an error, and thaws", async (error) => {
    const { excel, sheet, workbook, freezer } = plan(error);
    excel.culture = culture;
    expect(await freezer.freeze("workbook")).toEqual({ cells: 3, skipped: [] });
    expect(contents(sheet, column, "values")).toEqual([[5], [{ error }], [7]]);
    expect(await workbook.contents(column)).toEqual([[5], [{ error }], [7]]);
    expect((await freezer.thaw("workbook")).cells).toBe(3);
  });

  it("an error differs from a text that looks the same", async () => {
    const { excel, sheet, workbook, freezer } = plan();
    excel.culture = culture;
    sheet.shown.set("C2", "#N/A");
    await freezer.freeze("workbook");
    expect(contents(sheet, column, "values")).toEqual([[5], ["#N/A"], [7]]);
    enter(sheet, 1, 2, "#N/A");
    expect((await freezer.thaw("workbook")).skipped).toMatchObject([
      { reason: "The value was changed after freezing" },
    ]);
    expect(await workbook.contents(area("Plan", 1, 2))).toEqual([[{ error: "#N/A" }]]);
  });

  it("a shared copy contains errors as errors", async () => {
    const { excel, workbook } = plan();
    excel.culture = culture;
    const facts = { environment: "Demo", oldestMs: null, nowMs: 0, waiting: 0 };
    const copy = await shareCopy(workbook, "Plan", facts);
    expect(contents(excel.sheet(copy), { row: 4, col: 2, rows: 1, cols: 1 }, "values")).toEqual([
      [{ error: "#N/A" }],
    ]);
  });

  it("a cell that still waits is recognized, and nothing is frozen", async () => {
    const { excel, freezer } = plan("#BUSY!");
    excel.culture = culture;
    await expect(freezer.freeze("workbook")).rejects.toThrow(/One cell still waits/);
  });

  it("keeps the formula of an error that only a formula can show", async () => {
    const { excel, freezer } = plan("#SPILL!");
    excel.culture = culture;
    expect(await freezer.freeze("workbook")).toMatchObject({
      cells: 2,
      skipped: [
        { reason: "It shows an error that a cell can't contain without a formula", cells: [{ row: 1 }] },
      ],
    });
  });
});

it.each(["Office.js", "ExcelApi"])(
  "keeps the formula of a cell whose kind an Excel without %s can't report",
  async (old) => {
    const { excel, freezer } = plan();
    excel.culture = german;
    if (old === "Office.js") excel.officeJsIsOld = true;
    else excel.excelApi = 15;
    expect(await freezer.freeze("workbook")).toMatchObject({ cells: 2, skipped: [{ cells: [{ row: 1 }] }] });
  },
);

it("values without a # cost no request for their type", async () => {
  const { excel, workbook, sheet } = plan();
  sheet.shown.set("C2", 6);
  await workbook.contents(column);
  expect(excel.trips).toHaveLength(1);
});
