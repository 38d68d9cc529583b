/** From a problem to the cell with the input error, and its correction in one step. */
import type { Problem } from "../../../src/cells/activity";
import { parseGtin, parseStoreNumber } from "../../../src/domain/identifiers";
import { isInvError, InvError } from "../../../src/domain/errors";
import { correct, type Correction } from "../../../src/workbook/corrections";
import { findFixes, probableFix } from "../../../src/workbook/inspect/input-fixes";
import { createCellRegister } from "../../../src/cells/cell-register";
import { cellKey } from "../../../src/workbook/addresses";
import { saveList } from "../../../src/workbook/lists/saved-lists";
import { createVirtualClock } from "../../helpers/virtual-clock";
import { createMemoryWorkbook } from "../memory-workbook";

const cell = (row: number, col: number) => ({ sheet: "Plan", row, col });
const refusal = (read: unknown): InvError => {
  if (!isInvError(read)) throw new Error("Expected a refusal.");
  return read;
};
const badItem = (item: string, address: string | null): Problem => ({
  atMs: 0,
  cell: address,
  store: "1234",
  item,
  error: refusal(parseGtin(item)),
});

describe("the fix behind a problem", () => {
  it("suggests what was meant by the argument in the error", () => {
    expect(probableFix(badItem("OOO12345678905", null))).toEqual({
      field: "item",
      received: "OOO12345678905",
      meant: "00012345678905",
      sure: true,
    });
    const store = {
      ...badItem("00012345678905x", null),
      store: "12O4",
      error: refusal(parseStoreNumber("12O4")),
    };
    expect(probableFix(store)).toMatchObject({ field: "store", meant: "1204" });
    const down = new InvError("service-down", "The service is down.");
    expect(probableFix({ ...badItem("OOO12345678905", null), error: down })).toBeNull();
  });

  it("is found in the formula's row or in a heading above it, if it is there once", async () => {
    const workbook = createMemoryWorkbook(["Plan"]);
    workbook.put(cell(4, 1), "OOO12345678905");
    workbook.put(cell(0, 6), "OOO12345678905");
    workbook.put(cell(5, 1), "OOO12345678905");
    workbook.put(cell(5, 2), "OOO12345678905");
    const cells = createCellRegister({ clock: createVirtualClock() });
    const inRow = badItem("OOO12345678905", "Plan!C5");
    const inHeading = badItem("OOO12345678905", "Plan!G8");
    const twice = badItem("OOO12345678905", "Plan!D6");
    const fixes = await findFixes({ workbook, cells }, [inRow, inHeading, twice]);
    expect(fixes.get(inRow)?.correction?.cell).toEqual(cell(4, 1));
    expect(fixes.get(inHeading)?.correction?.cell).toEqual(cell(0, 6));
    expect(fixes.get(twice)).toMatchObject({ meant: "00012345678905", correction: null });
  });
});

describe("corrections", () => {
  const fixes: Correction[] = [
    { cell: cell(1, 0), from: "12O4", to: 1204 },
    { cell: cell(1, 1), from: 12345678905, to: "00012345678905" },
    { cell: cell(2, 1), from: 12345678905, to: "00012345678905" },
  ];

  it("are written only if the cell hasn't changed", async () => {
    const workbook = createMemoryWorkbook(["Plan"]);
    workbook.put(cell(1, 0), "12O4");
    workbook.put(cell(1, 1), 12345678905);
    workbook.put(cell(2, 1), "=B2");
    workbook.put(cell(2, 0), 77);
    expect(await correct(workbook, fixes)).toEqual({ cells: 2, skipped: 1 });
    const after = await workbook.read({ ...cell(1, 0), rows: 2, cols: 2 }, "formulas");
    expect(after).toEqual([
      [1204, "00012345678905"],
      [77, "=B2"],
    ]);
  });

  it("are one step, and write numbers into text cells as numbers", async () => {
    const workbook = createMemoryWorkbook(["Plan"]);
    workbook.put(cell(1, 0), "12O4");
    workbook.put(cell(1, 1), 12345678905);
    workbook.put(cell(2, 1), 12345678905);
    let steps = 0;
    const write = jest.spyOn(workbook, "write");
    workbook.step = async (work) => {
      steps += 1;
      expect(write).not.toHaveBeenCalled();
      return work();
    };
    await correct(workbook, fixes);
    expect(steps).toBe(1);
    expect(workbook.formats).toEqual([
      { area: { ...cell(1, 0), rows: 1, cols: 1 }, format: { numberFormat: "General" } },
    ]);
  });
});

describe("the input error of a saved list's item", () => {
  const wrong = "OOO12345678905";
  const anchor = { sheet: "Plan", row: 1, col: 1 };

  /** A grid over two lists, whose headings are the lists themselves. */
  async function gridOverLists() {
    const workbook = createMemoryWorkbook(["Plan"]);
    await saveList(workbook, { name: "Stores_North", kind: "stores", entries: [1000, 1001] });
    await saveList(workbook, { name: "Items_Top", kind: "items", entries: ["00000000000017", wrong] });
    workbook.put(cell(0, 1), "=TRANSPOSE(Items_Top)");
    workbook.spills.set(cellKey(cell(0, 1)), { rows: 1, cols: 2 });
    workbook.put(cell(0, 2), wrong);
    workbook.put(anchor, "=INV.QTY(Stores_North,TRANSPOSE(Items_Top))");
    workbook.spills.set(cellKey(anchor), { rows: 2, cols: 2 });
    const cells = createCellRegister({ clock: createVirtualClock() });
    cells.begin("Plan!B2", "demo").settled();
    return { workbook, cells };
  }

  it("is corrected in the list's cell, from anywhere in the grid", async () => {
    const { workbook, cells } = await gridOverLists();
    const [first, second] = [badItem(wrong, "Plan!C2"), badItem(wrong, "Plan!C3")];
    const fixes = await findFixes({ workbook, cells }, [first, second]);
    for (const problem of [first, second]) {
      expect(fixes.get(problem)?.correction).toEqual({
        cell: { sheet: "INV lists", row: 2, col: 1 },
        from: wrong,
        to: "00012345678905",
      });
    }
  });

  it("isn't corrected in a cell that the list's name has filled", async () => {
    const { workbook, cells } = await gridOverLists();
    workbook.put(cell(4, 2), "=INV.QTY(1000,C1)");
    const ownFormula = badItem(wrong, "Plan!C5");
    const fixes = await findFixes({ workbook, cells }, [ownFormula]);
    expect(fixes.get(ownFormula)).toMatchObject({ meant: "00012345678905", correction: null });
  });
});
