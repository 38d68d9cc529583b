/** Freezing and thawing: what is recorded, what is restored, and what is left alone and why. */
import { cellKey } from "../../../src/workbook/addresses";
import { isLedgerSheet, ledgerSheet } from "../../../src/workbook/frozen-formulas/ledger-sheets";
import { createMemoryWorkbook } from "../memory-workbook";
import { formulasOf, freezeStage, planWorkbook, sheet, spill, spillAt, plannedStage } from "./stage";

const at = (row: number, col: number, rows = 1, cols = 1) => ({ sheet, row, col, rows, cols });

describe("freezing", () => {
  it("keeps all values, and lists every formula in a very hidden sheet", async () => {
    const { workbook, freezer } = plannedStage(3);
    const before = await workbook.read(at(0, 0, 6, 8), "values");
    expect(await freezer.freeze("workbook")).toEqual({ cells: 7, skipped: [] });
    expect(await workbook.read(at(0, 0, 6, 8), "formulas")).toEqual(before);
    expect(await formulasOf(workbook)).toEqual(new Map());
    expect(await freezer.frozen()).toEqual({ cells: 7, environmentIds: ["demo"], asOf: "", state: "none" });
    const ledger = (await workbook.sheets()).find(({ name }) => isLedgerSheet(name))!;
    expect([ledger.visible, ledger.name]).toEqual([false, expect.stringMatching(/^_inv_[0-9a-z]{16}$/)]);
    const [entry] = await workbook.read({ sheet: ledger.name, row: 2, col: 0, rows: 1, cols: 19 }, "values");
    expect(entry).toEqual([
      "id-1",
      sheet,
      "C2",
      "INV.QTY(A2,B2)",
      "INV.QTY(RC[-2],RC[-1])",
      1,
      1,
      "10",
      expect.any(String),
      "1001",
      "10000000000001",
      "",
      "demo",
      `${ledger.name}_2`,
      expect.stringMatching(/^2\./),
      expect.stringMatching(/^\d{4}-.*Z$/),
      "",
      expect.stringMatching(/^2\./),
      "C2:D4",
    ]);
  });

  it("freezes only the selection or the sheet", async () => {
    const { workbook, freezer } = plannedStage(3);
    await workbook.select(at(1, 2, 2, 1));
    expect((await freezer.freeze("selection")).cells).toBe(2);
    await workbook.addSheet("Other");
    workbook.put({ sheet: "Other", row: 0, col: 0 }, "=INV.ENV()");
    expect((await freezer.freeze("sheet")).cells).toBe(5);
    expect([...(await formulasOf(workbook)).values()]).toEqual(["=INV.ENV()"]);
  });

  it("is refused while cells wait, and then changes nothing", async () => {
    const workbook = planWorkbook(2);
    const stage = freezeStage(workbook);
    const before = new Map(workbook.cells);
    stage.waiting = 1;
    await expect(stage.freezer.freeze("workbook")).rejects.toMatchObject({ code: "bad-argument" });
    stage.waiting = 0;
    workbook.valueOf = () => "#BUSY!";
    await expect(stage.freezer.freeze("workbook")).rejects.toThrow(/5 cells still wait/);
    expect(workbook.cells).toEqual(before);
  });

  it("reports what it skips: array formulas of several cells and protected sheets", async () => {
    const workbook = planWorkbook(2);
    workbook.spills.set(cellKey({ sheet, row: 1, col: 2 }), { rows: 1, cols: 1, isSharedArray: true });
    const { freezer } = freezeStage(workbook);
    const { cells, skipped: left } = await freezer.freeze("workbook");
    expect(cells).toBe(4);
    expect(left.map(({ reason, cells: found }) => [reason, found.length])).toEqual([
      ["Part of an array formula of several cells (Ctrl+Shift+Enter)", 1],
    ]);
    const sheets = await workbook.sheets();
    workbook.sheets = async () => sheets.map((each) => ({ ...each, isProtected: each.name === sheet }));
    const again = await freezer.freeze("workbook");
    expect(again).toMatchObject({ cells: 0, skipped: [{ reason: `The sheet "${sheet}" is protected` }] });
  });

  it("skips a formula whose value looks like a formula, and never turns a value into a formula", async () => {
    const workbook = planWorkbook(1);
    workbook.valueOf = (formula) =>
      formula.includes("EVENTS") ? "Time" : '=HYPERLINK("https://example.com")';
    workbook.put({ sheet, row: 2, col: 6 }, "'=1+1");
    const { freezer } = freezeStage(workbook);
    const { cells, skipped: left } = await freezer.freeze("workbook");
    expect(cells).toBe(1);
    expect(left.map(({ reason, cells: found }) => [reason, found.length])).toEqual([
      ["Its value begins like a formula", 2],
    ]);
    expect([...(await formulasOf(workbook)).values()]).not.toContain("=1+1");
  });

  it("doesn't mistake a sheet named like the ledger for one", async () => {
    const workbook = planWorkbook(1);
    await workbook.addSheet(ledgerSheet);
    workbook.put({ sheet: ledgerSheet, row: 0, col: 0 }, "Inventory of 2019");
    const before = new Map(workbook.cells);
    await expect(freezeStage(workbook).freezer.freeze("workbook")).rejects.toThrow(/not INV's/);
    expect(workbook.cells).toEqual(before);
  });
});

describe("thawing", () => {
  it("restores every formula, clears spilled values, and empties the ledger", async () => {
    const { workbook, freezer } = plannedStage(3);
    const before = await formulasOf(workbook);
    await freezer.freeze("workbook");
    expect(await freezer.thaw("workbook")).toEqual({ cells: 7, skipped: [] });
    expect(await formulasOf(workbook)).toEqual(before);
    const area = await workbook.read({ ...spillAt, ...spill }, "formulas");
    expect(area.flat().slice(1)).toEqual(Array(5).fill(null));
    expect(await freezer.frozen()).toBeNull();
  });

  it("restores nothing where the value, the store or the item has changed, and says so", async () => {
    const { workbook, freezer } = plannedStage(4);
    await workbook.select(at(1, 2, 4, 1));
    await freezer.freeze("selection");
    workbook.put({ sheet, row: 1, col: 2 }, 99);
    workbook.put({ sheet, row: 2, col: 0 }, 4444);
    workbook.put({ sheet, row: 3, col: 1 }, "10000000009999");
    const report = await freezer.thaw("workbook");
    expect(report.cells).toBe(1);
    expect(report.skipped.map(({ reason, cells }) => [reason, cells.map(({ row }) => row)])).toEqual([
      ["The value was changed after freezing", [1]],
      ["The cells that the formula refers to have changed", [2, 3]],
    ]);
    expect(await workbook.read(at(1, 2, 3, 1), "formulas")).toEqual([[99], [20], [30]]);
    expect(await freezer.frozen()).toMatchObject({ cells: 3 });
  });

  it("keeps a typed value, even if another row has the formula of the same store and item", async () => {
    const workbook = planWorkbook(3);
    for (const col of [0, 1]) workbook.put(at(2, col), workbook.cells.get(cellKey(at(1, col))) ?? null);
    const { freezer } = freezeStage(workbook);
    await freezer.freeze("workbook");
    workbook.put(at(2, 2), 999);
    const skipped = [{ reason: "The value was changed after freezing", cells: [{ sheet, row: 2, col: 2 }] }];
    for (const cells of [6, 0]) {
      expect(await freezer.thaw("workbook")).toMatchObject({ cells, skipped });
    }
  });

  it("drops the line of a cell that contains its formula again, and keeps one whose cell has another formula", async () => {
    const { workbook, freezer } = plannedStage(1);
    await freezer.freeze("workbook");
    workbook.put({ sheet, row: 1, col: 2 }, "=1+1");
    workbook.put({ sheet, row: 1, col: 3 }, '=IFNA( inv.qty(A2,B2,"BACKROOM"),0)');
    const { cells, skipped: left } = await freezer.thaw("workbook");
    expect(cells).toBe(1);
    expect(left).toMatchObject([{ reason: "The cell contains another formula now", cells: [{ col: 2 }] }]);
    expect(workbook.cells.get(cellKey({ sheet, row: 1, col: 2 }))).toBe("=1+1");
    expect(await freezer.frozen()).toMatchObject({ cells: 1 });
  });

  it("lists the frozen formulas with the reason why each can't return, and drops chosen ones", async () => {
    const { workbook, freezer } = plannedStage(2);
    expect(await freezer.lines()).toEqual([]);
    await workbook.select(at(1, 2, 2, 1));
    await freezer.freeze("selection");
    workbook.put({ sheet, row: 1, col: 2 }, 99);
    const lines = await freezer.lines();
    expect(lines.map(({ cell, formula, refusal }) => [cell.row, formula, refusal])).toEqual([
      [1, "=INV.QTY(A2,B2)", "The value was changed after freezing"],
      [2, "=INV.QTY(A3,B3)", null],
    ]);
    const [first] = lines;
    expect(await freezer.forget([first!.id])).toBe(1);
    expect(await freezer.forget([first!.id])).toBe(0);
    expect(await freezer.thaw("workbook")).toEqual({ cells: 1, skipped: [] });
    expect(workbook.cells.get(cellKey({ sheet, row: 1, col: 2 }))).toBe(99);
  });

  it("deletes empty sheets of the ledger, including those of other freezes", async () => {
    const workbook = planWorkbook(2);
    const [mine, other] = [freezeStage(workbook), freezeStage(workbook)];
    await workbook.select(at(1, 2, 2, 1));
    await mine.freezer.freeze("selection");
    await other.freezer.freeze("workbook");
    const ledgers = async () => (await workbook.sheets()).filter(({ name }) => isLedgerSheet(name)).length;
    expect(await ledgers()).toBe(2);
    await other.freezer.thaw("selection");
    expect(await ledgers()).toBe(1);
    await mine.freezer.forget((await mine.freezer.lines()).map(({ id }) => id));
    expect(await ledgers()).toBe(0);
    expect(workbook.definedNames).toEqual([]);
  });

  it("writes its entries again if another INV deleted its sheet", async () => {
    const { workbook, freezer } = plannedStage(2);
    const before = await formulasOf(workbook);
    const { exchange } = workbook;
    workbook.exchange = async (given) => {
      for (const { name } of await workbook.sheets()) {
        if (isLedgerSheet(name)) await workbook.deleteSheet(name);
      }
      return exchange(given);
    };
    await freezer.freeze("workbook");
    workbook.exchange = exchange;
    expect(await freezer.thaw("workbook")).toEqual({ cells: 5, skipped: [] });
    expect(await formulasOf(workbook)).toEqual(before);
  });

  it("finds sorted rows by the cells beside them if formulas refer to no cell of their row", async () => {
    const workbook = createMemoryWorkbook([sheet]);
    for (const [row, label] of ["Milk", "Bread", "Salt"].entries()) {
      workbook.put({ sheet, row, col: 0 }, label);
      workbook.put({ sheet, row, col: 1 }, `=INV.QTY(1234,"0000000000${row}")`);
    }
    workbook.valueOf = () => 0;
    const { freezer } = freezeStage(workbook);
    await freezer.freeze("workbook");
    workbook.put({ sheet, row: 0, col: 0 }, "Bread");
    workbook.put({ sheet, row: 1, col: 0 }, "Milk");
    expect(await freezer.thaw("workbook")).toEqual({ cells: 3, skipped: [] });
    expect([...(await formulasOf(workbook))].sort()).toEqual([
      [cellKey({ sheet, row: 0, col: 1 }), '=INV.QTY(1234,"00000000001")'],
      [cellKey({ sheet, row: 1, col: 1 }), '=INV.QTY(1234,"00000000000")'],
      [cellKey({ sheet, row: 2, col: 1 }), '=INV.QTY(1234,"00000000002")'],
    ]);
  });

  it("finds a renamed sheet by its id and a copied one by its name, and names a deleted one", async () => {
    const { workbook, freezer } = plannedStage(1);
    await freezer.freeze("workbook");
    const [plan, ledger] = await workbook.sheets();
    workbook.sheets = async () => [{ ...plan!, id: "another", name: "Elsewhere" }, ledger!];
    expect(await freezer.thaw("workbook")).toMatchObject({
      cells: 0,
      skipped: [{ reason: `The sheet "${sheet}" is no longer there` }],
    });
    workbook.sheets = async () => [{ ...plan!, id: "another" }, ledger!];
    expect((await freezer.thaw("workbook")).cells).toBe(3);
  });

  it("keeps the entry of a formula that the workbook refused", async () => {
    const { workbook, freezer } = plannedStage(1);
    await freezer.freeze("workbook");
    const { exchange } = workbook;
    workbook.exchange = (given) =>
      exchange({
        ...given,
        writes: given.writes.map((each) => ({
          ...each,
          cells: each.cells.map((row) => row.map(() => null)),
        })),
      });
    expect((await freezer.thaw("workbook")).skipped).toMatchObject([
      { reason: "The workbook didn't accept the formula" },
    ]);
    workbook.exchange = exchange;
    expect((await freezer.thaw("workbook")).cells).toBe(3);
  });

  it("does nothing in a workbook without frozen cells, and refuses a newer INV's ledger", async () => {
    const workbook = createMemoryWorkbook([sheet]);
    const { freezer } = freezeStage(workbook);
    expect(await freezer.thaw("workbook")).toEqual({ cells: 0, skipped: [] });
    await workbook.addSheet(ledgerSheet);
    await workbook.write({ sheet: ledgerSheet, row: 0, col: 0, rows: 1, cols: 2 }, [["INV ledger", 4]]);
    await expect(freezer.thaw("workbook")).rejects.toThrow(/newer INV/);
  });
});
