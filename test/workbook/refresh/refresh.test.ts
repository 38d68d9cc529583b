/** Refreshing: priced first, requested before cells are marked, followed to the end, and then the rest. */
import type { CellRef } from "../../../src/workbook/port";
import { cellKey } from "../../../src/workbook/addresses";
import { createStage, outage, queryOf, type Stage, stageWith } from "./refresh-stage";

const rowsOf = (refs: readonly CellRef[]): number[] => refs.map(({ row }) => row);

describe("the price of a refresh", () => {
  it.each([0, 1, 99, 100, 101, 10_000, 25_000])(
    "of %i cells counts what each of them asks for",
    async (count) => {
      const stage = await stageWith(count);
      const quote = await stage.clock.until(stage.refresher.quote("workbook"));
      expect(quote).toMatchObject({
        cells: count,
        unpredictable: 0,
        price: { searchCalls: Math.ceil(count / 100) },
      });
      expect(stage.log).toEqual([]);
    },
  );

  it("counts unpredictable calls separately", async () => {
    const stage = await stageWith(3);
    stage.workbook.put({ sheet: "Other", row: 0, col: 0 }, '=IFNA(INV.QTY(A1,TEXT(B1,"0")),0)');
    stage.workbook.put({ sheet: "Plan", row: 3, col: 2 }, "=INV.QTY(1,7)");
    const quote = await stage.refresher.quote("workbook");
    expect(quote).toMatchObject({ cells: 5, unpredictable: 1 });
    expect(quote.work.items).toHaveLength(4);
  });

  it("counts an item once for many cells", async () => {
    const stage = await stageWith(5);
    await stage.fill("Other", 5);
    const quote = await stage.refresher.quote("workbook");
    expect(quote.cells).toBe(10);
    expect(quote.work.items).toHaveLength(5);
  });

  it("leaves out cells without their formula, and the register forgets them", async () => {
    const stage = createStage();
    const [first] = await stage.fill("Plan", 3);
    stage.workbook.put(first!, 7);
    const quote = await stage.refresher.quote("workbook");
    expect(quote).toMatchObject({ cells: 2, unpredictable: 0 });
    expect(stage.cells.summary().cells).toBe(2);
  });

  it("keeps to the selection or its sheet", async () => {
    const stage = await stageWith(10);
    await stage.fill("Other", 4);
    stage.workbook.selection = [{ sheet: "Plan", row: 2, col: 0, rows: 3, cols: 5 }];
    expect((await stage.refresher.quote("selection")).cells).toBe(3);
    expect((await stage.refresher.quote("sheet")).cells).toBe(10);
    expect((await stage.refresher.quote("workbook")).cells).toBe(14);
  });

  it("of a selection in several parts counts each formula once, also where parts overlap", async () => {
    const stage = await stageWith(10);
    await stage.fill("Other", 10);
    const part = (row: number, rows: number) => ({ sheet: "Plan", row, col: 0, rows, cols: 5 });
    stage.workbook.selection = [part(1, 3), part(3, 2), part(8, 1)];
    const quote = await stage.refresher.quote("selection");
    expect(quote.cells).toBe(5);
    expect(quote.work.items.map(({ value }) => Number(value))).toEqual([1, 2, 3, 4, 8]);
    expect((await stage.refresher.quote("sheet")).cells).toBe(10);
    void stage.refresher.start("selection");
    await stage.clock.advance(3000);
    expect(rowsOf(stage.workbook.recalculated[0]!)).toEqual([1, 2, 3, 4, 8]);
    expect(stage.refresher.state).toMatchObject({ phase: "done", cells: 5, refreshed: 5 });
  });

  it("of a selection counts hidden rows, and refreshes them too", async () => {
    const stage = await stageWith(20);
    for (const row of [4, 5, 6, 19]) stage.workbook.hidden.add(row);
    stage.workbook.selection = [{ sheet: "Plan", row: 2, col: 0, rows: 10, cols: 5 }];
    expect(await stage.refresher.quote("selection")).toMatchObject({ cells: 10, hidden: 3 });
    expect(await stage.refresher.quote("workbook")).toMatchObject({ cells: 20, hidden: 0 });
    void stage.refresher.start("selection");
    await stage.clock.advance(3_000);
    expect(stage.refresher.state).toMatchObject({ phase: "done", cells: 10, refreshed: 10 });
    stage.workbook.selection = [{ sheet: "Plan", row: 30, col: 0, rows: 10, cols: 5 }];
    expect(await stage.refresher.quote("selection")).toMatchObject({ cells: 0, hidden: 0 });
  });

  it("of a selection or a sheet reads only that", async () => {
    const stage = await stageWith(10);
    const selection = { sheet: "Plan", row: 2, col: 0, rows: 3, cols: 5 };
    stage.workbook.selection = [selection];
    await stage.refresher.quote("selection");
    await stage.refresher.quote("sheet");
    expect(stage.workbook.searches).toEqual([
      [selection],
      [{ sheet: "Plan", row: 0, col: 0, rows: 1_048_576, cols: 16_384 }],
    ]);
  });

  describe("of a selection inside a grid", () => {
    const within = (row: number, rows = 1) => ({ sheet: "Plan", row, col: 8, rows, cols: 2 });

    /** The last formula fills 40 rows and 50 columns. */
    async function stageWithGrid(): Promise<Stage> {
      const stage = createStage();
      const [, , last] = await stage.fill("Plan", 3);
      stage.workbook.spills.set(cellKey(last!), { rows: 40, cols: 50 });
      return stage;
    }

    it("refreshes that grid and says so", async () => {
      const stage = await stageWithGrid();
      stage.workbook.selection = [within(20)];
      const quote = await stage.refresher.quote("selection");
      expect(quote).toMatchObject({ cells: 1, grids: [{ values: 2_000 }] });
      expect(quote.work.items).toHaveLength(1);
      void stage.refresher.start("selection");
      await stage.clock.advance(3_000);
      expect(rowsOf(stage.workbook.recalculated[0]!)).toEqual([2]);
      expect(stage.refresher.state).toMatchObject({ phase: "done", cells: 1, refreshed: 1 });
    });

    it("even if this session hasn't calculated it", async () => {
      const stage = await stageWithGrid();
      stage.cells.forget([...stage.cells.all()].map(({ address }) => address));
      stage.workbook.selection = [within(20)];
      expect(await stage.refresher.quote("selection")).toMatchObject({ cells: 1 });
    });

    it("counts it once if several parts or its formula are selected", async () => {
      const stage = await stageWithGrid();
      stage.workbook.selection = [within(20), within(30, 4)];
      expect((await stage.refresher.quote("selection")).cells).toBe(1);
      stage.workbook.selection = [within(20), { sheet: "Plan", row: 1, col: 0, rows: 2, cols: 6 }];
      expect(await stage.refresher.quote("selection")).toMatchObject({ cells: 2, grids: [] });
    });

    it("skips a grid that ends before the selection", async () => {
      const stage = await stageWithGrid();
      stage.workbook.selection = [within(42)];
      expect(await stage.refresher.quote("selection")).toMatchObject({ cells: 0, grids: [] });
    });
  });

  it("of a selection says what to do if no cell is selected", async () => {
    const stage = await stageWith(1);
    const quote = stage.refresher.quote("selection");
    const refused = expect(quote).rejects.toMatchObject({ code: "not-possible" });
    await stage.clock.advance(10_000);
    await refused;
  });

  it("of older values includes aged, stale, failed and unknown cells, but no fresh queries", async () => {
    const stage = createStage();
    stage.endingOf = ({ row }) => (row === 1 ? "stale" : row === 2 ? "failed" : row === 3 ? "none" : "value");
    await stage.fill("Plan", 5);
    stage.engine.fresh.add(queryOf({ sheet: "Plan", row: 3, col: 2 }).value);
    expect((await stage.refresher.quote("older")).cells).toBe(2);
    stage.workbook.put({ sheet: "Other", row: 9, col: 1 }, 9);
    stage.workbook.put({ sheet: "Other", row: 9, col: 2 }, "=INV.QTY(A10,B10)");
    stage.workbook.put({ sheet: "Other", row: 9, col: 3 }, "=INV.ENV()");
    expect(await stage.refresher.quote("older")).toMatchObject({ cells: 3, unpredictable: 0 });
    await stage.clock.advance(15 * 60_000);
    stage.engine.fresh.add(queryOf({ sheet: "Plan", row: 0, col: 2 }).value);
    const quote = await stage.refresher.quote("older");
    expect(quote.cells).toBe(6);
    expect(quote.work.items.map(({ value }) => Number(value))).toEqual([1, 2, 4, 9]);
  });

  it("of older values still finds them after the clock was set back", async () => {
    const stage = await stageWith(2);
    await stage.clock.advance(15 * 60_000);
    stage.clock.setSystem(-3_600_000);
    expect((await stage.refresher.quote("older")).cells).toBe(2);
    stage.engine.fresh.add(queryOf({ sheet: "Plan", row: 0, col: 2 }).value);
    expect((await stage.refresher.quote("older")).cells).toBe(1);
  });
});

describe("a refresh", () => {
  it("requests first, marks exactly the INV cells, and ends when each has its answer", async () => {
    const stage = createStage();
    const refs = await stage.fill("Plan", 250);
    stage.workbook.put({ sheet: "Plan", row: 0, col: 9 }, "=SUM(C1:C250)");
    const phases: string[] = [];
    stage.refresher.subscribe(() => {
      const { phase } = stage.refresher.state;
      if (phases.at(-1) !== phase) phases.push(phase);
    });
    await stage.run();
    expect(phases).toEqual(["finding", "running", "done"]);
    expect(stage.log).toEqual(["ask 250", "mark 250"]);
    expect(rowsOf(stage.workbook.recalculated[0]!)).toEqual(rowsOf(refs));
    expect(stage.refresher.state).toMatchObject({ cells: 250, refreshed: 250, error: null, unrefreshed: [] });
  });

  it("marks the cells of a sheet that is renamed before the service has answered", async () => {
    const stage = await stageWith(3);
    await stage.run(40);
    expect(stage.refresher.state.phase).toBe("running");
    stage.workbook.renameSheet("Plan", "Stock");
    stage.cells.respellAddresses((address) => address.replace("Plan!", "Stock!"));
    await stage.clock.advance(3000);
    expect(stage.workbook.recalculated[0]!.map(({ sheet }) => sheet)).toEqual(["Stock", "Stock", "Stock"]);
    expect(stage.refresher.state).toMatchObject({ phase: "done", refreshed: 3, unrefreshed: [] });
  });

  it("of a workbook without INV formulas ends at once and requests nothing", async () => {
    const stage = createStage();
    await stage.clock.until(stage.refresher.start("workbook"));
    expect(stage.refresher.state).toMatchObject({ phase: "done", cells: 0 });
    expect(stage.workbook.recalculated).toEqual([]);
  });

  it("lists cells that can't be marked", async () => {
    const stage = await stageWith(3);
    stage.workbook.onRecalculate = () => Promise.reject(new Error("The sheet is protected."));
    await stage.run(60_000);
    expect(stage.refresher.state).toMatchObject({ phase: "failed", refreshed: 0 });
    expect(stage.refresher.state.unrefreshed).toMatchObject(
      [0, 1, 2].map((row) => ({ cell: { row }, because: { message: "The sheet is protected." } })),
    );
  });

  it("finishes the other cells if those of a protected sheet can't be marked, and lists these", async () => {
    const stage = await stageWith(3);
    const { onRecalculate } = stage.workbook;
    stage.workbook.onRecalculate = async ([locked, ...others]) => {
      await onRecalculate(others);
      return [{ areas: [{ ...locked!, rows: 1, cols: 1 }], reason: "The sheet is protected." }];
    };
    await stage.run(60_000);
    expect(stage.refresher.state).toMatchObject({
      ...{ phase: "failed", refreshed: 2, error: { message: "The sheet is protected." } },
      unrefreshed: [{ cell: { row: 0 }, because: { message: "The sheet is protected." } }],
    });
  });

  it.each([
    ["was not answered", "stale", { phase: "failed", refreshed: 299, error: outage }],
    ["has no value", "none", { phase: "done", refreshed: 300, error: null }],
  ] as const)("of three hundred cells, one of which %s, says so of that one", async (_, ending, end) => {
    const stage = await stageWith(300);
    stage.endingOf = ({ row }) => (row === 7 ? ending : "value");
    await stage.run(10_000);
    expect(stage.refresher.state).toMatchObject({ cells: 300, ...end });
  });

  it("ignores a second start while it runs, and has no rest after its end", async () => {
    const stage = await stageWith(3);
    void stage.refresher.start("workbook");
    void stage.refresher.start("sheet");
    await stage.clock.advance(3000);
    expect(stage.refresher.state).toMatchObject({ scope: "workbook", phase: "done" });
    await stage.clock.until(stage.refresher.start("rest"));
    expect(stage.log).toEqual(["ask 3", "mark 3", "ask 0"]);
    expect(stage.refresher.state).toMatchObject({ phase: "done", cells: 0 });
  });

  it("waits through a pause of the quota of any length", async () => {
    const stage = await stageWith(3);
    stage.answerAfterMs = 15 * 60_000;
    stage.engine.busy = true;
    stage.engine.resumesAtMs = stage.clock.now() + 14 * 60_000;
    await stage.run(14 * 60_000);
    expect(stage.refresher.state.phase).toBe("running");
    await stage.clock.advance(2 * 60_000);
    expect(stage.refresher.state).toMatchObject({ phase: "done", refreshed: 3 });
    expect(stage.log).toEqual(["ask 3", "mark 3"]);
  });

  it("follows 25,000 cells with few looks at each", async () => {
    const stage = await stageWith(25_000);
    let looks = 0;
    const get = stage.cells.get;
    stage.cells.get = (address) => {
      looks += 1;
      return get(address);
    };
    stage.answerAfterMs = 5000;
    await stage.run(60_000);
    expect(stage.refresher.state).toMatchObject({ phase: "done", refreshed: 25_000 });
    expect(looks).toBeLessThan(25_000 * 40);
  });
});
