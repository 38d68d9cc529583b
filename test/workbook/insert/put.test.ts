/** Where a formula may go, and that writing it never overwrites without asking and restores the cells after a failure. */
import { count } from "../../../src/domain/number-words";
import { putFormula } from "../../../src/workbook/insert/put";
import { type InsertList, mostRows } from "../../../src/workbook/insert/list";
import { targetOf } from "../../../src/workbook/insert/insert";
import type { Area, SelectedAreas } from "../../../src/workbook/port";
import { createMemoryWorkbook } from "../memory-workbook";

const list: InsertList = {
  sheet: "Plan",
  firstRow: 1,
  rows: 500,
  columns: [],
  storeCol: 0,
  itemCol: 1,
  itemType: "gtin",
};
const at = (row: number, rows = 1, cols = 1): Area => ({ sheet: "Plan", row, col: 3, rows, cols });

describe("the target", () => {
  const placed = (selection: SelectedAreas, more: object = {}) => {
    const target = targetOf({ selection, list, isPerRow: true, fillDown: true, ...more });
    return typeof target === "string" ? target : [target.area.row, target.area.rows];
  };
  it("of one cell reaches to the end of the list", () => {
    expect(placed([at(1)])).toEqual([1, 500]);
    expect(placed([at(400)])).toEqual([400, 101]);
    expect(placed([at(1)], { fillDown: false })).toEqual([1, 1]);
  });
  it("skips the headings", () => {
    expect(placed([at(0)])).toEqual([1, 500]);
    expect(placed([at(0, 20)])).toEqual([1, 19]);
  });
  it("of several cells is these cells", () => expect(placed([at(3, 4)])).toEqual([3, 4]));
  it("below the list, or without one, is the cell", () => {
    expect(placed([at(900)])).toEqual([900, 1]);
    expect(placed([at(0)], { list: null })).toEqual([0, 1]);
  });
  it("of a whole column ends with the list", () => {
    expect(placed([at(0, 1_048_576)])).toEqual([1, 500]);
    expect(placed([at(0, 1_048_576)], { list: null })).toContain(`at most ${count(mostRows)}.`);
  });
  it("of a table is one cell", () => expect(placed([at(3, 9, 2)], { isPerRow: false })).toEqual([3, 1]));
  it("is one column", () => {
    expect(placed([at(1, 3, 2)])).toContain("one column");
    expect(placed([at(1), at(9)])).toContain("one column");
  });
});

describe("writing a formula", () => {
  const options = { formula: "=INV.QTY(A2,B2)", area: at(1, 12_000), overwrite: false };

  it("fills it down, as one step to undo", async () => {
    const workbook = createMemoryWorkbook(["Plan"]);
    expect(await putFormula(workbook, options)).toEqual({ kind: "put", cells: 12_000 });
    expect(await workbook.read(at(12_000), "formulas")).toEqual([["=INV.QTY(A12001,B12001)"]]);
  });

  it("writes the heading above, unless there is one", async () => {
    const workbook = createMemoryWorkbook(["Plan"]);
    const named = { ...options, area: at(1, 3), heading: "Quantity" };
    expect(await putFormula(workbook, named)).toEqual({ kind: "put", cells: 3 });
    expect(await workbook.read(at(0, 2), "formulas")).toEqual([["Quantity"], ["=INV.QTY(A2,B2)"]]);
    workbook.put(at(0), "Shelf");
    expect(await putFormula(workbook, named)).toEqual({ kind: "put", cells: 3 });
    expect(await workbook.read(at(0), "formulas")).toEqual([["Shelf"]]);
  });

  it("asks before it overwrites other contents", async () => {
    const workbook = createMemoryWorkbook(["Plan"]);
    await putFormula(workbook, options);
    workbook.put(at(7), "mine");
    workbook.put(at(8), 0);
    expect(await putFormula(workbook, options)).toEqual({ kind: "occupied", cells: 2 });
    expect(await workbook.read(at(7, 2), "formulas")).toEqual([["mine"], [0]]);
    expect(await putFormula(workbook, { ...options, overwrite: true })).toEqual({
      kind: "put",
      cells: 12_000,
    });
    expect(await workbook.read(at(7), "formulas")).toEqual([["=INV.QTY(A8,B8)"]]);
  });

  it("restores the cells if the host fails", async () => {
    const workbook = createMemoryWorkbook(["Plan"]);
    workbook.put(at(3), "mine");
    const { write } = workbook;
    let writes = 0;
    workbook.write = async (area, cells) => {
      writes += 1;
      await write(area, cells);
      if (writes === 1) throw new Error("the host is gone");
    };
    await expect(putFormula(workbook, { ...options, overwrite: true })).rejects.toThrow("the host is gone");
    const all = await workbook.read(at(1, 12_000), "formulas");
    expect(all.filter(([cell]) => cell !== null)).toEqual([["mine"]]);
    expect(all[2]).toEqual(["mine"]);
  });

  it("formats text cells as General", async () => {
    const workbook = createMemoryWorkbook(["Plan"]);
    await workbook.format(at(1, 20), { numberFormat: "@" });
    await putFormula(workbook, options);
    expect(workbook.formats.at(-1)).toEqual({ area: at(1, 20), format: { numberFormat: "General" } });
  });
});
