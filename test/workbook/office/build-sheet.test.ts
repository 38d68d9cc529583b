/** New sheets in Excel: complete and shown, or gone. */
import { buildSheet, type SheetPlan } from "../../../src/workbook/build-sheet";
import { cultures, openWorkbook } from "./office-stage";

const plan: SheetPlan = {
  ...{ name: "List", frozenRows: 1, widthsPx: [130, 130, undefined, 90] },
  header: ["Cell", "Item", "Text", "Value"],
  rows: [
    ["Plan!C2", "00012345678905", "=A1", { error: "#N/A" }],
    ["Plan!C3", "1/2", null, 7],
  ],
};

test.each(cultures)(
  "a list keeps its texts as texts, and has its headings, widths and frozen row, in %s Excel",
  async (_name, culture) => {
    const { excel, workbook } = openWorkbook("Plan");
    excel.culture = culture;
    const sheet = excel.sheet(await buildSheet(workbook, plan));
    expect(await workbook.findFormulas(() => true)).toEqual([]);
    expect(await workbook.contentsOf([{ sheet: "List", row: 0, col: 0, rows: 3, cols: 4 }])).toEqual([
      [
        [...plan.header],
        ["Plan!C2", "00012345678905", "=A1", { error: "#N/A" }],
        ["Plan!C3", "1/2", null, 7],
      ],
    ]);
    expect(sheet.frozenRows).toBe(1);
    const widths = sheet.formats.filter(({ property }) => property === "columnWidth");
    expect(widths.map(({ block, value }) => [block.col, block.cols, value])).toEqual([
      [0, 2, 97.5],
      [3, 1, 67.5],
    ]);
  },
);

test("a sheet is shown in a later batch than the one that adds it", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  excel.moveSelection("Plan", { row: 5, col: 5, rows: 1, cols: 1 });
  expect(await buildSheet(workbook, plan)).toBe("List");
  expect(excel.active).toBe("List");
  expect(excel.selection).toEqual({ sheet: "List", blocks: [{ row: 0, col: 0, rows: 1, cols: 1 }] });
  const writing = excel.trips.findIndex((trip) => trip.includes("formulas="));
  const showing = excel.trips.findIndex((trip) => trip.includes("activate"));
  expect([writing, showing, excel.trips.length]).toEqual([1, 2, 3]);
});

test.each([
  ["long texts", 60, "x".repeat(30_000)],
  ["short cells", 60_000, "7"],
  ["texts of three bytes a letter", 200, "店".repeat(10_000)],
])(
  "a caller passes the whole list: %s arrive in requests that Excel on the web accepts",
  async (_title, count, text) => {
    const { excel, workbook } = openWorkbook("Plan");
    const rows = Array.from({ length: count }, () => ["Plan!C2", text, null, 1]);
    await buildSheet(workbook, { ...plan, rows });
    expect(excel.sheet("List").cells.size).toBe(count + 1);
    expect(excel.requests.map(({ refused }) => refused).filter((code) => code !== null)).toEqual([]);
    expect(excel.trips.length).toBeLessThanOrEqual(7);
  },
);

test("a long column gets its number format in several requests", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  const format = "#,##0.00;[Red]-#,##0.00";
  await workbook.step((step) =>
    step.format({ sheet: "Plan", row: 0, col: 0, rows: 300_000, cols: 1 }, { numberFormat: format }),
  );
  expect(excel.requests.map(({ refused }) => refused)).toEqual(excel.requests.map(() => null));
  expect(await workbook.formatsOf({ sheet: "Plan", row: 299_999, col: 0, rows: 1, cols: 1 })).toEqual([
    [expect.objectContaining({ numberFormat: format })],
  ]);
});

test("a sheet that fails half-way is removed, whichever round trip fails", async () => {
  const whole = openWorkbook("Plan");
  await buildSheet(whole.workbook, plan);
  for (let at = 0; at < whole.excel.trips.length; at += 1) {
    const { excel, workbook } = openWorkbook("Plan");
    excel.failures.push(...Array<null>(at).fill(null), "GeneralException");
    await expect(buildSheet(workbook, plan)).rejects.toThrow("GeneralException");
    expect(excel.sheets.map(({ name }) => name)).toEqual(["Plan"]);
  }
});
