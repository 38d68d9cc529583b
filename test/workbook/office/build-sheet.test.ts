/** New sheets in Excel: complete and shown, or gone. */
import { toInvError } from "../../../src/domain/errors";
import { buildSheet, type SheetPlan } from "../../../src/workbook/build-sheet";
import { enter } from "../../excel/sheet";
import { cultures, openWorkbook } from "./office-stage";
import { type Act, actBeforeTrip, actsOn } from "./sheet-acts";

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
  expect([writing, showing, excel.trips.length]).toEqual([3, 5, 6]);
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
    expect(excel.trips.length).toBeLessThanOrEqual(8);
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

const { add, rename, renameAndAdd, remove } = actsOn("List");
const acts: readonly (readonly [string, Act])[] = [
  ["adds a sheet of the same name", add],
  ["renames the new sheet", rename],
  ["renames the new sheet, and adds one of its name", renameAndAdd],
  ["deletes the new sheet", remove],
  ["types into a sheet of theirs", (excel) => enter(excel.sheet("Plan"), 0, 0, "typed")],
];

test.each(acts.flatMap(([title, act]) => [17, 20].map((excelApi) => [title, excelApi, act] as const)))(
  "if somebody %s between two round trips in Excel 1.%d, the list is whole or gone, and theirs is as they left it",
  async (title, excelApi, act) => {
    const outcomes: string[] = [];
    let isOver = false;
    for (let at = 1; !isOver; at += 1) {
      const { excel, workbook } = openWorkbook("Plan");
      excel.excelApi = excelApi;
      const somebody = actBeforeTrip(excel, "List", { act, at });
      const name = await buildSheet(workbook, plan).catch((error: unknown) => toInvError(error));
      const built = somebody.sheetsOfInv();
      isOver = !somebody.hasActed();
      if (isOver) continue;
      outcomes.push(typeof name === "string" ? "built" : name.message);
      if (typeof name !== "string") {
        expect(built).toEqual([]);
        continue;
      }
      // Somebody may also delete the whole list.
      if (built.length === 0) expect(title).toBe("deletes the new sheet");
      for (const { cells, frozenRows } of built) expect([cells.size, frozenRows]).toEqual([3, 1]);
    }
    expect(outcomes).toContain("built");
    for (const outcome of outcomes) {
      expect(outcome).toMatch(/^built$|somebody added a sheet of that name|no longer there|Somebody deleted/);
    }
  },
);
