/** Marking stale values on an existing sheet: a status column, and conditional colours that depend on it. */
import { markStaleValues } from "../../src/workbook/mark-stale";
import { createVirtualClock } from "../helpers/virtual-clock";
import { createMemoryWorkbook } from "./memory-workbook";

const status = (...questions: readonly string[]) =>
  `=SUBSTITUTE(SUBSTITUTE(${questions.map((each) => `INV.STATUS(${each},TRUE)`).join("&")},"SUCCESS, ",""),"SUCCESS","")`;

async function mark(cells: Readonly<Record<string, string | number>>) {
  const workbook = createMemoryWorkbook(["Plan"]);
  for (const [at, content] of Object.entries(cells)) {
    const [, letter = "A", digits = "1"] = /^([A-Z])(\d+)$/.exec(at) ?? [];
    workbook.put({ sheet: "Plan", row: Number(digits) - 1, col: letter.charCodeAt(0) - 65 }, content);
  }
  workbook.selection = [{ sheet: "Plan", row: 0, col: 0, rows: 1, cols: 1 }];
  const run = () => markStaleValues(workbook, createVirtualClock());
  const column = (col: number, rows: number) =>
    workbook.read({ sheet: "Plan", row: 0, col, rows, cols: 1 }, "formulas").then((read) => read.flat());
  return { workbook, run, column };
}

it("adds a status to each row, and a conditional format to its values", async () => {
  const sheet = await mark({
    A1: "Store",
    B1: "Item",
    C1: "Shelf",
    A2: 1234,
    B2: "00012345678905",
    C2: "=INV.QTY(A2,B2)",
    D2: '=IFNA(INV.QTY(A2,B2,"BACKROOM"),0)',
    A4: 1234,
    C4: '=INV.QTY(A4,B4,,,"wm_item_number")',
    D4: '=INV.EVENTQTY(A4,B5,"SALES")',
  });
  expect(await sheet.run()).toEqual({ sheet: "Plan", cells: 4, skipped: 0, overwritten: [] });
  expect(await sheet.column(4, 4)).toEqual([
    "Status",
    status("A2,B2,"),
    null,
    status('A4,B4,"wm_item_number"', "A4,B5,"),
  ]);
  expect(
    sheet.workbook.highlights.map(({ area, rule }) => [area.row, area.col, area.rows, area.cols, rule]),
  ).toEqual(
    [1, 3].map((row) => [
      row,
      2,
      1,
      2,
      {
        kind: "formula",
        formula: `=ISNUMBER(SEARCH("not answered",$E${row + 1}))`,
        fill: "#fff3cd",
        color: "#7a5200",
      },
    ]),
  );
});

it("skips formulas that don't work in another cell, and counts them", async () => {
  const sheet = await mark({
    A2: "=LET(s,1234,INV.QTY(s,B2))",
    A3: "=INV.QTY([@Store],[@Item])",
    A4: "=INV.ENV()",
    A5: "=INV.QTY(1234,B5)",
  });
  expect(await sheet.run()).toEqual({ sheet: "Plan", cells: 1, skipped: 2, overwritten: [] });
  expect((await sheet.column(1, 5)).at(-1)).toBe(status("1234,B5,"));
});

it("marks nothing twice, and nothing on an empty sheet", async () => {
  const sheet = await mark({ A2: "=INV.QTY(1234,B2)" });
  expect(await sheet.run()).toMatchObject({ cells: 1 });
  expect(await sheet.run()).toEqual({ sheet: "Plan", cells: 0, skipped: 0, overwritten: [] });
  expect(sheet.workbook.highlights).toHaveLength(1);
  expect(await (await mark({})).run()).toEqual({ sheet: "Plan", cells: 0, skipped: 0, overwritten: [] });
});
