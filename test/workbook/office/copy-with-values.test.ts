/** Copies of sheets with values over Microsoft's runtime: in one batch, whole or not at all, whatever another person does meanwhile. */
import { copyWithValues } from "../../../src/workbook/share/copy-with-values";
import { beforeTrips, type NodeExcel } from "../../excel/excel-in-node";
import { moveLines } from "../../excel/move-lines";
import { enter, type HostSheet, newSheet } from "../../excel/sheet";
import { nothingAsked, openWorkbook } from "./office-stage";

const nowMs = new Date(2026, 10, 23, 9, 15).getTime();
const facts = { ...nothingAsked, nowMs };
const copy = "Plan 2026-11-23";

function plan(rows: number, cols = 1) {
  const { excel, workbook } = openWorkbook("Plan");
  const sheet = excel.sheet("Plan");
  for (let row = 0; row < rows; row += 1) {
    enter(sheet, row, 0, 1000 + row);
    for (let col = 1; col <= cols; col += 1) enter(sheet, row, col, `=INV.QTY(A${row + 1},"${col}")`);
  }
  sheet.shows = (formula) => Number(/A(\d+)/.exec(formula)?.[1]) * 10;
  excel.moveSelection("Plan", { row: 0, col: 0, rows: 1, cols: 1 });
  return { excel, workbook, sheet };
}

const cellsOf = (sheet: HostSheet) =>
  [...sheet.cells].map(([row, line]) => [row, [...line.entries()].sort(([a], [b]) => a - b)]);
const names = ({ sheets }: NodeExcel) => sheets.map(({ name }) => name);

test("40,000 INV cells are copied in one batch, and few round trips", async () => {
  const { excel, workbook, sheet } = plan(4_000, 10);
  const before = JSON.stringify(cellsOf(sheet));
  excel.trips.length = 0;
  await copyWithValues(workbook, "Plan", facts);
  expect(excel.trips.length).toBeLessThanOrEqual(17);
  const writing = excel.trips.filter((trip) => trip.includes("copyFrom"));
  expect(writing).toHaveLength(1);
  expect(writing[0]?.filter((name) => name === "copyFrom")).toHaveLength(2);
  const copied = excel.sheet(copy);
  expect(copied.cells.get(3 + 3_999)?.get(10)).toBe(40_000);
  expect(
    [...copied.cells.values()].flatMap((line) =>
      [...line.values()].filter((cell) => typeof cell === "string" && cell.startsWith("=")),
    ),
  ).toEqual([]);
  expect(JSON.stringify(cellsOf(sheet))).toBe(before);
});

type Edit = (stage: ReturnType<typeof plan>) => void;

test.each<[string, Edit, { isRefused: boolean }]>([
  ["types a number", ({ sheet }) => enter(sheet, 2, 0, 700_001), { isRefused: false }],
  [
    "inserts a row",
    ({ excel, sheet }) => moveLines(excel, sheet, { what: "row", at: 2, by: 1 }),
    { isRefused: true },
  ],
  [
    "deletes a row",
    ({ excel, sheet }) => moveLines(excel, sheet, { what: "row", at: 2, by: -1 }),
    { isRefused: true },
  ],
])(
  "if somebody %s during the copy, it is whole or refused, and the original has only that edit",
  async (_title, edit, { isRefused }) => {
    const whole = plan(5);
    let trips = 0;
    beforeTrips(whole.excel, () => void (trips += 1));
    await copyWithValues(whole.workbook, "Plan", facts);
    const edited = plan(5);
    edit(edited);
    const expected = JSON.stringify(cellsOf(edited.sheet));
    const outcomes = new Set<string>();
    for (let at = 1; at <= trips; at += 1) {
      const stage = plan(5);
      let trip = 0;
      beforeTrips(stage.excel, () => {
        trip += 1;
        if (trip === at) edit(stage);
      });
      const outcome = await copyWithValues(stage.workbook, "Plan", facts).then(
        () => "copied",
        (error: unknown) => String(error),
      );
      outcomes.add(outcome);
      expect(JSON.stringify(cellsOf(stage.sheet))).toBe(expected);
      expect(names(stage.excel)).toEqual(outcome === "copied" ? ["Plan", copy] : ["Plan"]);
      if (outcome !== "copied") {
        expect(outcome).toMatch(/changed while INV worked on it/);
        continue;
      }
      const { cells } = stage.excel.sheet(copy);
      const stores = [...cells].filter(([row]) => row >= 3).map(([, line]) => line.get(0));
      const inSheet = [...stage.sheet.cells.values()]
        .map((line) => line.get(0))
        .filter((store) => store !== undefined);
      const earlier = [1000, 1001, 1002, 1003, 1004];
      expect([JSON.stringify(inSheet), JSON.stringify(earlier)]).toContain(
        JSON.stringify(stores.filter((store) => store !== undefined)),
      );
    }
    expect(outcomes).toContain("copied");
    // Formats of times were planned for the cells of before.
    expect([...outcomes].some((outcome) => outcome !== "copied")).toBe(isRefused);
  },
);

test("if a colleague makes the same copy meanwhile, theirs stays, and INV's is made or refused", async () => {
  const counted = plan(2);
  let trips = 0;
  beforeTrips(counted.excel, () => void (trips += 1));
  await copyWithValues(counted.workbook, "Plan", facts);
  const outcomes = new Set<string>();
  for (let at = 1; at <= trips; at += 1) {
    const { excel, workbook } = plan(2);
    let trip = 0;
    const theirs = newSheet(copy);
    const added: HostSheet[] = [];
    beforeTrips(excel, () => {
      trip += 1;
      if (trip !== at || names(excel).includes(copy)) return;
      added.push(theirs);
      enter(theirs, 0, 0, "a colleague's");
      excel.sheets.push(theirs);
    });
    const outcome = await copyWithValues(workbook, "Plan", facts).then(
      () => "copied",
      () => "refused",
    );
    outcomes.add(`${outcome}, ${added.length > 0 ? "second" : "first"}`);
    expect(excel.sheets).toEqual(expect.arrayContaining(added));
  }
  expect(outcomes).toContain("refused, second");
  expect(outcomes).toContain("copied, first");
});

test("frozen rows and widths are copied", async () => {
  const { excel, workbook, sheet } = plan(2);
  sheet.frozenRows = 1;
  sheet.formats.push({ block: { row: 0, col: 1, rows: 1, cols: 1 }, property: "columnWidth", value: 90 });
  await copyWithValues(workbook, "Plan", facts);
  const copied = excel.sheet(copy);
  expect(copied.frozenRows).toBe(4);
  expect(copied.formats).toContainEqual({
    block: { row: 3, col: 1, rows: 1, cols: 1 },
    property: "columnWidth",
    value: 90,
  });
});

test("refuses a protected workbook, and leaves no sheet if the second of two can't be copied", async () => {
  const { excel, workbook } = plan(2);
  excel.isProtected = true;
  await expect(copyWithValues(workbook, "Plan", facts)).rejects.toThrow(/workbook is protected/);
  excel.isProtected = false;
  const other = (await workbook.addSheet("Other")) && excel.sheet("Other");
  enter(other as HostSheet, 0, 0, "=INV.ENV()");
  (other as HostSheet).shown.set("A1", { error: "#BUSY!" });
  await expect(copyWithValues(workbook, null, facts)).rejects.toThrow(/Some cells still wait/);
  expect(names(excel)).toEqual(["Plan", "Other"]);
});
