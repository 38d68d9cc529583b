/** The changes that a refresh reports, on a virtual clock, over a workbook whose cells show the test's values. */
import { cellAddresses, cellKey } from "../../../src/workbook/addresses";
import type { CellValue } from "../../../src/workbook/port";
import { queryOf } from "../refresh/refresh-stage";
import { addedOf, changesOf, formulaOf, show, type Shown } from "./changes-stage";

/** Rows were inserted or deleted from this one on. */
const movedFrom = (row: number, sheet = "Plan") => ({
  ...{ sheet, row, col: 0 },
  ...{ rows: 1_048_576 - row, cols: 16_384 },
});

it("lists the quantities that are others now, the largest difference first, with store and item", async () => {
  const shown = await show([5, 10, 0, 7, 3, 6]);
  [5, 0, 4, 107, 2, "#N/A"].forEach((value, row) => shown.next.set(row, value));
  await shown.refresh();
  expect(changesOf(shown)).toEqual([
    [3, 7, 107],
    [1, 10, 0],
    [2, 0, 4],
    [4, 3, 2],
    [5, 6, { error: "#N/A" }],
  ]);
  expect(shown.report()).toMatchObject({ added: [], movedSheets: [] });
  const [first] = shown.report().changed;
  expect(first).toMatchObject({ cell: { sheet: "Plan", row: 3, col: 2 }, of: 1 });
  expect(first?.values).toMatchObject([{ store: "1234", item: queryOf({ ...first!.cell }).value }]);
});

it("names the cells that had no value before, and no cell that still has none", async () => {
  const before: CellValue[] = [null, "", "#BUSY!", "#VALUE!", "", "#N/A"];
  const after: CellValue[] = [3, "#N/A", 4, "#VALUE!", "", 6];
  const shown = await show(before);
  after.forEach((value, row) => shown.next.set(row, value));
  await shown.refresh();
  expect(addedOf(shown)).toEqual([
    [0, null, 3],
    [2, { error: "#BUSY!" }, 4],
  ]);
  // #N/A is an answer.
  expect(changesOf(shown)).toEqual([[5, { error: "#N/A" }, 6]]);
});

it("shows changes since the file was saved, for cells that this session hasn't calculated", async () => {
  const shown = await show([5, 10]);
  shown.stage.cells.forget([0, 1].map((row) => cellAddresses({ sheet: "Plan", row, col: 2 })[0]));
  shown.next.set(1, 12);
  await shown.refresh();
  expect(changesOf(shown)).toEqual([[1, 10, 12]]);
});

it("compares only quantities that one INV call returned, alone or within IFNA", async () => {
  const formulas = [
    formulaOf(0),
    '=IFNA(INV.QTY(A2,B2),"")',
    "=INV.UPDATED(A3,B3)",
    "=INV.ASOF(A4,B4)",
    "=INV.QTY(A5,B5)*7",
    "=INV.QTY(A6,B6)+INV.QTY(A6,C6)",
    "=INV.STATUS(A7,B7)",
  ];
  const shown = await show([1, 2, 3, 4, 5, 6, 7], (row) => formulas[row] ?? "");
  formulas.forEach((_, row) => shown.next.set(row, 100 + row));
  await shown.refresh();
  expect(changesOf(shown)).toEqual([
    [0, 1, 100],
    [1, 2, 101],
  ]);
});

it("a 0 of IFNA that stands for no such value is no change, and a quantity that is gone is one", async () => {
  const shown = await show([0, 6, 0], (row) => `=IFNA(${formulaOf(row).slice(1)},0)`);
  ["#N/A", "#N/A", 4].forEach((value, row) => shown.next.set(row, value));
  await shown.refresh();
  expect(changesOf(shown)).toEqual([
    [2, 0, 4],
    [1, 6, { error: "#N/A" }],
  ]);
});

it("a cell whose answer failed hasn't changed, whatever it shows", async () => {
  const shown = await show([5, 6, 4]);
  shown.stage.endingOf = ({ row }) => (row < 2 ? "stale" : "value");
  [7, 8, 9].forEach((value, row) => shown.next.set(row, value));
  // They are calculated although their answers failed, as after an edit.
  const { workbook, clock } = shown.stage;
  clock.setTimeout(() => {
    void workbook.recalculate([0, 1].map((row) => ({ sheet: "Plan", row, col: 2 })));
  }, 100);
  await shown.refresh();
  expect(changesOf(shown)).toEqual([[2, 4, 9]]);
});

it("reads once, before anything is marked", async () => {
  const shown = await show([5]);
  const { stage } = shown;
  shown.next.set(0, 6);
  const { contentsOf } = stage.workbook;
  stage.workbook.contentsOf = (areas) => {
    stage.log.push("read");
    return contentsOf(areas);
  };
  stage.log.length = 0;
  await shown.refresh();
  // The read after the mark is the refresh's own: what cells show.
  expect(stage.log).toEqual(["read", "ask 1", "mark 1", "read"]);
});

describe("a result that fills several cells", () => {
  const grid = { sheet: "Plan", row: 0, col: 2 };

  async function spilled(
    formula: string,
    before: CellValue[][],
    after: (CellValue | { error: string })[][],
  ): Promise<Shown> {
    const shown = await show([1], () => formula);
    const { workbook } = shown.stage;
    workbook.spills.set(cellKey(grid), { rows: before.length, cols: before[0]?.length ?? 0 });
    workbook.valueOf = () => before[0]?.[0] ?? null;
    before.forEach((line, row) =>
      line.forEach((value, col) => {
        if (row + col > 0) workbook.put({ ...grid, row, col: 2 + col }, value);
      }),
    );
    shown.stage.returnedOf = () => after;
    const { recalculate } = workbook;
    workbook.recalculate = (cells, options) => {
      workbook.valueOf = () => (after[0]?.[0] ?? null) as CellValue;
      return recalculate(cells, options);
    };
    await shown.refresh();
    return shown;
  }

  it("is compared by place", async () => {
    const shown = await spilled(
      "=INV.QTY(A1:A2,B1:C1)",
      [
        [1, 2],
        [3, 4],
      ],
      [
        [1, 20],
        [3, { error: "#N/A" }],
      ],
    );
    expect(shown.report().changed).toMatchObject([
      {
        cell: { row: 0, col: 2 },
        of: 4,
        values: [
          { row: 0, col: 3, before: 2, after: 20 },
          { row: 1, col: 3 },
        ],
      },
    ]);
  });

  it("of a table shows only the column of quantities", async () => {
    const shown = await spilled(
      "=INV.STOCK(A1,B1)",
      [
        ["Location area", "State", "Quantity", "Last updated (UTC)"],
        ["STORE", "AVAILABLE", 7, 46_000],
      ],
      [
        ["Location area", "State", "Quantity", "Last updated (UTC)"],
        ["STORE", "AVAILABLE", 9, 46_001],
        ["BACKROOM", "AVAILABLE", 3, 46_001],
      ],
    );
    expect(changesOf(shown)).toEqual([
      [1, 7, 9],
      [2, null, 3],
    ]);
  });
});

describe("an edit during the refresh", () => {
  /** Three cells get other values; somebody edits meanwhile. */
  async function editing(edit: (shown: Shown) => void): Promise<Shown> {
    const shown = await show([1, 2, 3]);
    [11, 22, 33].forEach((value, row) => shown.next.set(row, value));
    shown.stage.answerAfterMs = 1_000;
    const refreshing = shown.stage.refresher.start("workbook");
    shown.stage.clock.setTimeout(() => edit(shown), 700);
    await shown.stage.clock.until(refreshing);
    await shown.told();
    return shown;
  }

  it("that moves cells: the sheet is left out, and said", async () => {
    const shown = await editing(({ stage }) => stage.workbook.tellEdit([movedFrom(40)]));
    expect(shown.report()).toMatchObject({ changed: [], added: [], movedSheets: ["Plan"] });
    const other = await editing(({ stage }) => stage.workbook.tellEdit([movedFrom(40, "Other")]));
    expect(changesOf(other)).toHaveLength(3);
    expect(other.report().movedSheets).toEqual([]);
  });

  it("that renames the sheet: it is left out, and said", async () => {
    const shown = await show([1]);
    const { workbook, clock, refresher, cells } = shown.stage;
    shown.next.set(0, 4);
    const refreshing = refresher.start("workbook");
    clock.setTimeout(() => {
      workbook.renameSheet("Plan", "Week");
      cells.respellAddresses((address) => address.replace("Plan!", "Week!"));
      workbook.tellEdit({ from: "Plan", to: "Week" });
    }, 100);
    await clock.until(refreshing);
    await shown.told();
    expect(shown.stage.refresher.state).toMatchObject({ phase: "done", refreshed: 1 });
    expect(shown.report()).toMatchObject({ changed: [], added: [], movedSheets: ["Plan"] });
  });

  it("in the cell itself: its change isn't the refresh's", async () => {
    const typed = { sheet: "Plan", row: 1, col: 2, rows: 1, cols: 1 };
    const shown = await editing(({ stage }) => stage.workbook.tellEdit([typed]));
    expect(changesOf(shown)).toEqual([
      [2, 3, 33],
      [0, 1, 11],
    ]);
  });

  it("in another cell: one that asks for another item isn't compared", async () => {
    const shown = await show([1, 2]);
    const { stage } = shown;
    const { begin } = stage.cells;
    stage.cells.begin = (address, id) => {
      const report = begin(address, id);
      const { requests } = report;
      const other = address === "Plan!C1" ? { value: "00000000000999" } : {};
      return Object.assign(Object.create(report) as typeof report, {
        requests: (query: never) => requests.call(report, { ...(query as object), ...other } as never),
        answered: report.answered.bind(report),
        settled: report.settled.bind(report),
      });
    };
    [12, 23].forEach((value, row) => shown.next.set(row, value));
    await shown.refresh();
    expect(changesOf(shown)).toEqual([[1, 2, 23]]);
  });
});

describe("the last completed report", () => {
  async function reported(): Promise<Shown> {
    const shown = await show([1, 2]);
    shown.next.set(0, 5);
    await shown.refresh();
    return shown;
  }

  it("stays after a cancel, and the rest compares with the start", async () => {
    const shown = await reported();
    const { stage } = shown;
    const first = shown.report();
    [50, 60].forEach((value, row) => shown.next.set(row, value));
    stage.endingOf = ({ row }) => (row === 1 ? "uncalled" : "value");
    const refreshing = stage.refresher.start("workbook");
    await stage.clock.advance(400);
    stage.refresher.cancel();
    await stage.clock.until(refreshing);
    await shown.told();
    expect(shown.report()).toBe(first);

    stage.endingOf = () => "value";
    await stage.clock.until(stage.refresher.start("rest"));
    await shown.told();
    expect(changesOf(shown)).toEqual([
      [1, 2, 60],
      [0, 5, 50],
    ]);
  });

  it("stays if nothing was answered, and if another refresh begins first", async () => {
    const shown = await reported();
    const { stage } = shown;
    const first = shown.report();
    stage.endingOf = () => "failed";
    await shown.refresh();
    expect(shown.report()).toBe(first);

    stage.endingOf = () => "value";
    shown.next.set(0, 7);
    await stage.clock.until(stage.refresher.start("workbook"));
    expect(stage.refresher.state.phase).toBe("done");
    shown.next.set(0, 9);
    await shown.refresh();
    expect(changesOf(shown)).toEqual([[0, 7, 9]]);
  });

  it("stays if the cells were read too late", async () => {
    const shown = await reported();
    const first = shown.report();
    const { contentsOf } = shown.stage.workbook;
    shown.stage.workbook.contentsOf = async (areas) => {
      await new Promise<void>((resolve) => shown.stage.clock.setTimeout(resolve, 31_000));
      return contentsOf(areas);
    };
    await shown.refresh();
    await shown.stage.clock.advance(120_000);
    expect(shown.report()).toBe(first);
  });

  it("stays when the cells can't be read, and the refresh goes on without", async () => {
    const shown = await reported();
    const first = shown.report();
    shown.stage.workbook.contentsOf = () => Promise.reject(new Error("closed"));
    await shown.refresh();
    expect(shown.stage.refresher.state).toMatchObject({ phase: "done", refreshed: 2 });
    expect(shown.report()).toBe(first);
  });
});
