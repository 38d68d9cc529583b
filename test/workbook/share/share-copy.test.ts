/** A copy for people without INV: only values, below a description of what they are and how old. */
import type { CellValue } from "../../../src/workbook/port";
import { shareCopy } from "../../../src/workbook/share/share-copy";
import { createMemoryWorkbook } from "../memory-workbook";

const facts = {
  environment: "Demo",
  oldestMs: Date.UTC(2026, 4, 4, 8, 30),
  nowMs: Date.UTC(2026, 4, 5, 9, 15),
  waiting: 0,
};
const area = (sheet: string, row: number, col: number, rows = 1, cols = 1) => ({
  sheet,
  row,
  col,
  rows,
  cols,
});

function plan() {
  const workbook = createMemoryWorkbook(["Plan"]);
  const cells: CellValue[][] = [
    ["Store", "GTIN", "Shelf"],
    [1234, "00012345678905", "=INV.QTY(A2,B2)"],
    [57, "'=not a formula", '=IFNA(INV.QTY(A3,B3),"")'],
  ];
  for (const [row, line] of cells.entries()) {
    for (const [col, value] of line.entries()) workbook.put({ sheet: "Plan", row, col }, value);
  }
  workbook.valueOf = (formula) => (formula.startsWith("=INV") ? 12 : "#N/A");
  return workbook;
}

describe("sharing a copy", () => {
  it("makes a sheet of values with their age and environment, and leaves the original as it is", async () => {
    const workbook = plan();
    const before = await workbook.read(area("Plan", 0, 0, 3, 3), "formulas");
    const copy = await shareCopy(workbook, "Plan", facts);
    expect(copy).toBe("Plan values");
    const all = area(copy, 0, 0, 6, 3);
    expect(await workbook.read(all, "values")).toEqual([
      ['Values of "Plan", copied 2026-05-05 09:15 UTC. Environment: Demo.', null, null],
      ["The oldest value was fetched 2026-05-04 08:30 UTC.", null, null],
      [null, null, null],
      ["Store", "GTIN", "Shelf"],
      [1234, "00012345678905", 12],
      [57, "=not a formula", "#N/A"],
    ]);
    expect((await workbook.findFormulas(() => true)).filter(({ sheet }) => sheet === copy)).toEqual([]);
    expect(await workbook.read(area("Plan", 0, 0, 3, 3), "formulas")).toEqual(before);
    expect(await shareCopy(workbook, "Plan", facts)).toBe("Plan values 2");
  });

  it("says that age and environment are unknown", async () => {
    const workbook = plan();
    const copy = await shareCopy(workbook, "Plan", { ...facts, environment: "", oldestMs: null });
    const [[head], [age]] = (await workbook.read(area(copy, 0, 0, 2, 1), "values")) as [[string], [string]];
    expect(head).toMatch(/Environment: none\.$/);
    expect(age).toBe("When the values were fetched is not known.");
  });

  it("looks like the original, below its own heading", async () => {
    const workbook = plan();
    await workbook.format(area("Plan", 0, 0, 1, 3), { bold: true, fill: "#1f3a5f" });
    await workbook.format(area("Plan", 1, 2, 2, 1), { numberFormat: "#,##0" });
    await workbook.format(area("Plan", 0, 2), { widthPx: 90 });
    const copy = await shareCopy(workbook, "Plan", facts);
    const formats = await workbook.formatsOf(area(copy, 3, 0, 3, 3));
    expect(formats[0]).toEqual(Array(3).fill({ bold: true, fill: "#1f3a5f" }));
    expect(formats[2]?.[2]).toEqual({ numberFormat: "#,##0" });
    expect((await workbook.formatsOf(area(copy, 0, 2)))[0]).toEqual([{ widthPx: 90 }]);
  });

  it("copies ten thousand rows whole", async () => {
    const workbook = createMemoryWorkbook(["Plan"]);
    for (let row = 0; row < 10_000; row += 1) workbook.put({ sheet: "Plan", row, col: 0 }, row);
    const copy = await shareCopy(workbook, "Plan", facts);
    const values = await workbook.read(area(copy, 3, 0, 10_001), "values");
    expect(values.flat()).toEqual([...Array.from({ length: 10_000 }, (_, row) => row), null]);
  });

  it("refuses an empty and a too large sheet, and adds nothing", async () => {
    const workbook = createMemoryWorkbook(["Empty", "Large"]);
    workbook.put({ sheet: "Large", row: 399_999, col: 1 }, "x");
    await expect(shareCopy(workbook, "Empty", facts)).rejects.toThrow(/"Empty" is empty/);
    await expect(shareCopy(workbook, "Large", facts)).rejects.toThrow(/"Large" is too large/);
    expect(await workbook.sheets()).toHaveLength(2);
  });

  it("refuses while cells wait, and leaves no sheet", async () => {
    const workbook = plan();
    const sheets = async () => (await workbook.sheets()).map(({ name }) => name);
    await expect(shareCopy(workbook, "Plan", { ...facts, waiting: 1 })).rejects.toThrow(
      "INV is still fetching values. Wait until all cells have theirs, or cancel, then copy.",
    );
    workbook.valueOf = () => "#BUSY!";
    await expect(shareCopy(workbook, "Plan", facts)).rejects.toThrow(/^2 cells still wait for a value\./);
    expect(await sheets()).toEqual(["Plan"]);
  });

  it("deletes a copy that was interrupted", async () => {
    const workbook = plan();
    workbook.writeText = () => Promise.reject(new Error("The host is gone."));
    await expect(shareCopy(workbook, "Plan", facts)).rejects.toThrow("The host is gone.");
    expect((await workbook.sheets()).map(({ name }) => name)).toEqual(["Plan"]);
  });
});
