/** Edits in Excel: reported as areas by sheet name, and formulas are searched only where edits happened. */
import type { Area, Edit } from "../../../src/workbook/port";
import { area, openWorkbook, settle } from "./office-stage";
import { enter } from "../../excel/sheet";

async function openWatched(options: { readonly excelApi?: number } = {}) {
  const { excel, workbook } = openWorkbook("Plan", "Other");
  excel.excelApi = options.excelApi ?? excel.excelApi;
  const told: Edit[] = [];
  workbook.onEdit((edit) => told.push(edit));
  workbook.onEdit(() => undefined);
  await settle();
  return { excel, workbook, told };
}

describe("an edit", () => {
  it.each<[string, Area]>([
    ["B3", area("Plan", 2, 1)],
    ["B3:D10", area("Plan", 2, 1, 8, 3)],
    ["3:5", area("Plan", 2, 0, 3, 16_384)],
    ["AA:AB", area("Plan", 0, 26, 1_048_576, 2)],
    ["#REF!", area("Plan", 0, 0, 1_048_576, 16_384)],
  ])("of %s is told as its area", async (address, expected) => {
    const { excel, told } = await openWatched();
    excel.change("Plan", address);
    await settle();
    expect(told).toEqual([[expected]]);
  });

  it("of several parts is reported with all of them", async () => {
    const { excel, told } = await openWatched();
    excel.change("Other", "A1:A2,C4");
    await settle();
    expect(told).toEqual([[area("Other", 0, 0, 2, 1), area("Other", 3, 2)]]);
  });

  it.each(["RowInserted", "RowDeleted", "ColumnInserted", "ColumnDeleted", "CellInserted", "CellDeleted"])(
    "of kind %s is reported to the sheet's end, because cells have moved",
    async (kind) => {
      const { excel, told } = await openWatched();
      excel.change("Plan", "C5:C6", kind as "RowInserted");
      await settle();
      expect(told).toEqual([[area("Plan", 4, 2, 1_048_572, 16_382)]]);
    },
  );

  it("follows others quickly in one more round trip for all of them", async () => {
    const { excel, told } = await openWatched();
    const before = excel.trips.length;
    for (let row = 1; row <= 100; row += 1) excel.change("Plan", `A${row}`);
    await settle();
    expect(told.flat()).toHaveLength(100);
    expect(excel.trips.length - before).toBeLessThanOrEqual(2);
  });

  it("that deletes a sheet counts as anywhere; one that renames it is reported with both names", async () => {
    const { excel, told } = await openWatched();
    excel.tellOfSheet("onDeleted");
    excel.tellOfSheet("onNameChanged");
    await settle();
    expect(told).toEqual([null, { from: "Plan", to: "Week 47" }]);
  });

  it("that adds a sheet is reported with its name", async () => {
    const { excel, told } = await openWatched();
    excel.tellOfSheet("onAdded", { worksheetId: excel.sheet("Other").id });
    excel.tellOfSheet("onAdded", { worksheetId: "{deleted in the meantime}" });
    await settle();
    expect(told).toEqual([{ added: "Other" }, null]);
  });

  it("counts as anywhere if Excel can't name the sheet", async () => {
    const { excel, told } = await openWatched();
    excel.failures.push("GeneralException");
    excel.change("Plan", "B3");
    await settle();
    excel.change("Plan", "B4");
    await settle();
    expect(told).toEqual([null, [area("Plan", 3, 1)]]);
  });

  it("isn't reported by an old Excel, and a rename only by a new one", async () => {
    const old = await openWatched({ excelApi: 8 });
    expect(old.excel.trips).toEqual([]);
    const newer = await openWatched({ excelApi: 16 });
    newer.excel.tellOfSheet("onNameChanged");
    newer.excel.tellOfSheet("onDeleted");
    await settle();
    expect(newer.told).toEqual([null]);
  });
});

test("a listener that throws still gets later notices", async () => {
  const { excel, workbook } = openWorkbook("Plan", "Other");
  const told: Edit[] = [];
  workbook.onEdit((edit) => {
    told.push(edit);
    if (told.length === 1) throw new Error("a listener's own fault");
  });
  await settle();
  for (const address of ["B3", "B4", "B5"]) {
    try {
      excel.change("Plan", address);
      await settle();
    } catch (error) {
      expect(error).toMatchObject({ message: "a listener's own fault" });
    }
  }
  expect(told.flat()).toEqual([area("Plan", 2, 1), area("Plan", 3, 1), area("Plan", 4, 1)]);
});

describe("formulas within areas", () => {
  it("are found only there, in four round trips, and not on deleted sheets", async () => {
    const { excel, workbook } = openWorkbook("Plan", "Other");
    for (let row = 0; row < 100; row += 1) {
      enter(excel.sheet("Plan"), row, 2, "=INV.ENV()");
      enter(excel.sheet("Other"), row, 2, "=INV.ENV()");
    }
    const within = [area("Plan", 10, 0, 3, 16_384), area("Plan", 98, 2, 50, 1), area("Gone", 0, 0, 9, 9)];
    const found = await workbook.findFormulas(() => true, within);
    expect(found.map(({ sheet, row }) => `${sheet} ${row}`)).toEqual(
      [10, 11, 12, 98, 99].map((row) => `Plan ${row}`),
    );
    expect(excel.trips).toHaveLength(4);
  });
});
