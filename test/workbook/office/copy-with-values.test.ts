/** Copies of sheets with values over Microsoft's runtime: in one batch, whole or not at all, whatever another person does meanwhile. */
import { messageOf } from "../../../src/domain/errors";
import type { InvCell } from "../../../src/cells/cell-record";
import { type CopyFacts, copyWithValues } from "../../../src/workbook/share/copy-with-values";
import { beforeTrips, type NodeExcel } from "../../excel/excel-in-node";
import { moveLines } from "../../excel/move-lines";
import { enter, type HostSheet } from "../../excel/sheet";
import { nothingAsked, openWorkbook } from "./office-stage";
import { type Act, actBeforeTrip, actsOn } from "./sheet-acts";

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
  expect(excel.trips.length).toBeLessThanOrEqual(18);
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

const { add, rename, renameAndAdd, remove } = actsOn(copy);
const acts: readonly (readonly [string, Act])[] = [
  ["makes the same copy", add],
  ["renames INV's copy", rename],
  ["renames INV's copy, and makes one of its name", renameAndAdd],
  ["deletes INV's copy", remove],
];

test.each(acts)(
  "if a colleague %s between two round trips, INV's copy is whole or gone, and theirs stays as it is",
  async (title, act) => {
    const outcomes: string[] = [];
    let isOver = false;
    for (let at = 1; !isOver; at += 1) {
      const { excel, workbook } = plan(2);
      const somebody = actBeforeTrip(excel, copy, { act, at });
      const outcome = await copyWithValues(workbook, "Plan", facts).then(() => "copied", messageOf);
      isOver = !somebody.hasActed();
      if (isOver) continue;
      outcomes.push(outcome);
      const made = somebody.sheetsOfInv();
      if (outcome !== "copied") expect(made).toEqual([]);
      else if (made.length === 0) expect(title).toBe("deletes INV's copy");
      for (const { cells } of made) expect([...cells.keys()].sort()).toEqual([0, 1, 2, 3, 4]);
    }
    expect(outcomes).toContain("copied");
    for (const outcome of outcomes) {
      expect(outcome).toMatch(/^copied$|somebody added a sheet of that name|no longer there/);
    }
  },
);

test("a copy that Excel refuses at any round trip leaves no sheet, or is complete and reported as made", async () => {
  const whole = plan(2);
  await copyWithValues(whole.workbook, "Plan", facts);
  const outcomes: string[] = [];
  for (let at = 0; at < whole.excel.trips.length; at += 1) {
    const { excel, workbook } = plan(2);
    excel.failures.push(...Array<null>(at).fill(null), "GeneralException");
    const outcome = await copyWithValues(workbook, "Plan", facts).then(
      (made) => made.join(),
      () => "refused",
    );
    outcomes.push(outcome);
    expect(names(excel)).toEqual(outcome === "refused" ? ["Plan"] : ["Plan", outcome]);
  }
  expect(new Set(outcomes)).toEqual(new Set(["refused", copy]));
});

test("if Excel also refuses to delete an unfinished copy, the message names it", async () => {
  const { excel, workbook } = plan(2);
  let isRefused = false;
  beforeTrips(excel, () => {
    isRefused ||= names(excel).includes(copy);
    if (isRefused) excel.failures.push("GeneralException");
  });
  await expect(copyWithValues(workbook, "Plan", facts)).rejects.toThrow(
    /GeneralException.* INV couldn't remove what it had added\. Delete "Plan 2026-11-23"\.$/,
  );
  expect(names(excel)).toEqual(["Plan", copy]);
});

test("hidden rows and columns stay hidden in the copy", async () => {
  const { excel, workbook, sheet } = plan(5, 3);
  for (const row of [1, 2, 4]) sheet.hiddenRows.add(row);
  sheet.hiddenCols.add(2);
  await copyWithValues(workbook, "Plan", facts);
  const copied = excel.sheet(copy);
  expect([[...copied.hiddenRows], [...copied.hiddenCols]]).toEqual([[4, 5, 7], [2]]);
  expect([...copied.cells.keys()]).toHaveLength(3 + 5);
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

describe("in an Excel of 2021 in German, which can't name its errors", () => {
  const address = "Plan!B2";
  const failed = { address, state: "problem", returned: { error: "#N/A" } } as InvCell;
  const withProblem: CopyFacts = { ...facts, cells: { ...facts.cells, all: () => [failed] } };

  function old(error: string) {
    const stage = plan(3);
    stage.excel.excelApi = 14;
    stage.sheet.shown.set("B2", { error });
    return stage;
  }

  it("an error that INV returned is copied", async () => {
    const { excel, workbook } = old("#N/A");
    await copyWithValues(workbook, "Plan", withProblem);
    expect(excel.sheet(copy).cells.get(4)?.get(1)).toEqual({ error: "#N/A" });
  });

  it.each([
    ["#BUSY!", "#BELEGT!"],
    ["#REF!", "#BEZUG!"],
  ])("%s, which INV didn't return, is refused", async (error, spelling) => {
    const { excel, workbook } = old(error);
    await expect(copyWithValues(workbook, "Plan", facts)).rejects.toThrow(`A cell shows ${spelling}, and`);
    expect(names(excel)).toEqual(["Plan"]);
    excel.excelApi = 16;
    const copied = copyWithValues(workbook, "Plan", facts);
    await (error === "#BUSY!"
      ? expect(copied).rejects.toThrow("still wait")
      : expect(copied).resolves.toEqual([copy]));
  });
});
