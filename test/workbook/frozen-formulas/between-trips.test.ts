/** Another person makes one change before each round trip of a freeze and a thaw, one trip at a time. */
import { copySheet } from "../../excel/sheet-moves";
import { moveLines } from "../../excel/move-lines";
import { enter, type HostSheet } from "../../excel/sheet";
import { openWorkbook } from "../office/office-stage";
import { type Edit, edit, plan, textOf, type Typed } from "./edited-excel";
import { freezerOf } from "./freezer-of";

function formulasOf(sheet: HostSheet): string[] {
  return [...sheet.cells.values()].flatMap((line) =>
    [...line.values()].filter((cell) => textOf(cell).startsWith("=INV.")).map(textOf),
  );
}

/** Makes the change before each round trip in turn, and checks what a freeze and a thaw leave. */
async function beforeEachTrip(change: Edit, look: (stage: ReturnType<typeof plan>, typed: Typed) => void) {
  let trips = Infinity;
  for (let at = 1; at <= trips; at += 1) {
    const stage = plan();
    const typed: Typed = new Map();
    let trip = 0;
    stage.excel.pace = () => {
      trip += 1;
      if (trip === at) edit(stage, change, typed);
      return Promise.resolve();
    };
    const freezer = freezerOf(stage.workbook);
    await freezer.freeze("workbook");
    await freezer.thaw("workbook");
    trips = trip;
    look(stage, typed);
  }
  expect(trips).toBeGreaterThan(20);
}

it("a row inserted in any round trip loses no formula and gets none", async () => {
  await beforeEachTrip({ kind: "insert", on: "plan", row: 3 }, ({ sheet }) => {
    expect(formulasOf(sheet)).toHaveLength(12);
    expect([...(sheet.cells.get(3)?.values() ?? [])].filter((cell) => cell !== "")).toEqual([]);
  });
});

it("a number typed in any round trip stays, and every other formula is restored", async () => {
  await beforeEachTrip({ kind: "type", on: "plan", row: 4, col: 2 }, ({ sheet }, typed) => {
    expect(sheet.cells.get(4)?.get(2)).toBe([...typed.keys()][0]);
    expect(formulasOf(sheet)).toHaveLength(11);
  });
});

it("a copy of a frozen sheet thaws by its own names, and the original keeps its formulas", async () => {
  const { excel, workbook, sheet } = plan();
  const freezer = freezerOf(workbook);
  await freezer.freeze("workbook");
  const copy = copySheet(excel, sheet);
  expect(await freezer.thaw("workbook")).toEqual({ cells: 25, skipped: [] });
  expect(formulasOf(copy)).toEqual(formulasOf(sheet));
  expect(formulasOf(sheet)).toHaveLength(12);
  expect(excel.names).toEqual([]);
  expect(excel.sheets.map(({ name }) => name)).toEqual(["Plan", "Events", copy.name]);
});

it("of 3,000 cells that don't touch, one inserted row blocks none", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  const sheet = excel.sheet("Plan");
  for (let row = 0; row < 6_000; row += 2) {
    enter(sheet, row, 0, 1000 + row);
    enter(sheet, row, 2, `=INV.QTY(A${row + 1},"00012345678905")`);
  }
  const freezer = freezerOf(workbook);
  expect(await freezer.freeze("workbook")).toEqual({ cells: 3_000, skipped: [] });
  expect(excel.names.length).toBeLessThanOrEqual(1_000);
  moveLines(excel, sheet, { what: "row", at: 1_001, by: 1 });
  expect(await freezer.thaw("workbook")).toEqual({ cells: 3_000, skipped: [] });
  expect(sheet.cells.get(2_001)?.get(2)).toBe(`=INV.QTY(A2002,"00012345678905")`);
});
