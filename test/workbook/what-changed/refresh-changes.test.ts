/** The changes that a refresh reports, on a virtual clock, over a workbook whose cells show the test's values. */
import { cellAddresses } from "../../../src/workbook/addresses";
import type { CellValue } from "../../../src/workbook/port";
import { queryOf } from "../refresh/refresh-stage";
import { addedOf, changesOf, formulaOf, show, type Shown } from "./changes-stage";

/** Rows were inserted or deleted from this one on. */
const movedFrom = (row: number) => ({
  ...{ sheet: "Plan", row, col: 0 },
  ...{ rows: 1_048_576 - row, cols: 16_384 },
});

it("lists the cells that show something else, the largest difference first, with store and item", async () => {
  const shown = await show([5, 10, 0, 7, "a", 3, 6]);
  [5, 0, 4, 107, "b", 2, "#N/A"].forEach((value, row) => shown.next.set(row, value));
  await shown.refresh();
  expect(changesOf(shown)).toEqual([
    [3, 7, 107],
    [1, 10, 0],
    [2, 0, 4],
    [5, 3, 2],
    [4, "a", "b"],
    [6, 6, { error: "#N/A" }],
  ]);
  expect(shown.report()).toMatchObject({ added: [], notCompared: 0 });
  const [first] = shown.report().changed;
  expect(first).toMatchObject({ cell: { sheet: "Plan", row: 3, col: 2 }, of: 1, hadValue: true });
  expect(first?.values).toMatchObject([{ store: "1234", item: queryOf({ ...first!.cell }).value }]);
});

it("names the cells that had no value before, and no cell that still has none", async () => {
  const before: CellValue[] = [null, "", "#BUSY!", "#NAME?", "#VALUE!", "", "#NAME?", "#N/A", 5];
  const after: CellValue[] = [3, "#N/A", 4, 0, "new", null, "#BUSY!", 6, ""];
  const shown = await show(before);
  after.forEach((value, row) => shown.next.set(row, value));
  await shown.refresh();
  expect(addedOf(shown)).toEqual([
    [0, null, 3],
    [1, "", { error: "#N/A" }],
    [2, { error: "#BUSY!" }, 4],
    [3, { error: "#NAME?" }, 0],
    [4, { error: "#VALUE!" }, "new"],
  ]);
  // #N/A is an answer, and so is the blank that a formula makes of it.
  expect(changesOf(shown)).toEqual([
    [7, { error: "#N/A" }, 6],
    [8, 5, ""],
  ]);
});

it("shows changes since the file was saved, for cells that this session hasn't calculated", async () => {
  const shown = await show([5, 10]);
  shown.stage.cells.forget([0, 1].map((row) => cellAddresses({ sheet: "Plan", row, col: 2 })[0]));
  shown.next.set(1, 12);
  await shown.refresh();
  expect(changesOf(shown)).toEqual([[1, 10, 12]]);
  expect(shown.report()).toMatchObject({ notCompared: 0, changed: [{ values: [{ store: "1234" }] }] });
});

it("a cell that the refresh left stale hasn't changed, whatever its formula makes of the error", async () => {
  const shown = await show([5, 6, 4], (row) => `=IFERROR(${formulaOf(row).slice(1)},0)`);
  shown.stage.endingOf = ({ row }) => (row < 2 ? "failed" : "value");
  [0, "#VALUE!", 9].forEach((value, row) => shown.next.set(row, value));
  // They are calculated although their answers failed, as after an edit.
  const { workbook } = shown.stage;
  const refreshing = shown.stage.refresher.start("workbook");
  shown.stage.clock.setTimeout(() => {
    void workbook.recalculate([0, 1].map((row) => ({ sheet: "Plan", row, col: 2 })));
  }, 100);
  await shown.stage.clock.until(refreshing);
  await shown.told();
  expect(await workbook.contentsOf([{ sheet: "Plan", row: 0, col: 2, rows: 1, cols: 1 }])).toEqual([[[0]]]);
  expect(changesOf(shown)).toEqual([[2, 4, 9]]);
  expect(shown.report()).toMatchObject({ added: [], notCompared: 0 });
});

it("leaves out the time of the request, which changes every time, and shows other times as times", async () => {
  const functions = ["ASOF", "UPDATED", "QTY"];
  const shown = await show([1, 2, 3], (row) => `=INV.${functions[row] ?? ""}(A${row + 1},B${row + 1})`);
  [11, 12, 13].forEach((value, row) => shown.next.set(row, value));
  await shown.refresh();
  const values = shown.report().changed.flatMap((each) => each.values);
  expect(values.map(({ row, isTime }) => [row, isTime])).toEqual([
    [2, false],
    [1, true],
  ]);
  expect(shown.report().notCompared).toBe(0);
});

it("leaves out other cells between INV's cells", async () => {
  const shown = await show(Array.from({ length: 250 }, (_, row) => row));
  const between = (value: number) => {
    for (let row = 1; row < 250; row += 2) shown.stage.workbook.put({ sheet: "Plan", row, col: 2 }, value);
  };
  between(7);
  shown.next.set(2, 4);
  shown.stage.clock.setTimeout(() => between(8), 150);
  await shown.refresh();
  expect(changesOf(shown)).toEqual([[2, 2, 4]]);
});

it("reads once before anything is marked, and once after the host's calculation", async () => {
  const shown = await show([5]);
  const { stage } = shown;
  shown.next.set(0, 6);
  const { contentsOf } = stage.workbook;
  stage.workbook.contentsOf = async (areas) => {
    // Longer than the first call of a refresh.
    await new Promise<void>((resolve) => stage.clock.setTimeout(resolve, 2_000));
    stage.log.push("read");
    return contentsOf(areas);
  };
  stage.workbook.calculated = async () => void stage.log.push("calculated");
  stage.log.length = 0;
  await shown.refresh();
  // The read after the mark looks for lost results.
  expect(stage.log).toEqual(["read", "ask 1", "mark 1", "read", "calculated", "read"]);
});

describe("an edit between the read before and the read after", () => {
  /** Three cells get other values; somebody edits meanwhile. */
  async function editing(edit: (shown: Shown) => void, afterMs = 700): Promise<Shown> {
    const shown = await show([1, 2, 3]);
    [11, 22, 33].forEach((value, row) => shown.next.set(row, value));
    shown.stage.answerAfterMs = 1_000;
    const refreshing = shown.stage.refresher.start("workbook");
    shown.stage.clock.setTimeout(() => edit(shown), afterMs);
    await shown.stage.clock.until(refreshing);
    await shown.told();
    return shown;
  }

  it.each([
    ["the cell itself", { sheet: "Plan", row: 1, col: 2, rows: 1, cols: 1 }],
    ["a cell that its formula names", { sheet: "Plan", row: 1, col: 0, rows: 1, cols: 1 }],
  ])("in %s: its change isn't the refresh's", async (_what, area) => {
    const shown = await editing(({ stage }) => stage.workbook.tellEdit([area]));
    expect(changesOf(shown)).toEqual([
      [2, 3, 33],
      [0, 1, 11],
    ]);
    expect(shown.report().notCompared).toBe(1);
  });

  it("in another formula's cell: a cell that asks for another item isn't compared", async () => {
    const shown = await editing(() => undefined);
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
    expect(changesOf(shown)).toEqual([[1, 22, 23]]);
    expect(shown.report().notCompared).toBe(1);
  });

  it("that moves cells while they are read again: they are read once more", async () => {
    const shown = await show([1, 2]);
    [11, 22].forEach((value, row) => shown.next.set(row, value));
    shown.stage.answerAfterMs = 1_000;
    const reads = countReads(shown);
    await shown.stage.clock.until(shown.stage.refresher.start("workbook"));
    shown.stage.clock.setTimeout(() => {
      shown.stage.workbook.tellEdit([movedFrom(40)]);
    }, 100);
    await shown.told();
    // Before, for lost results, and twice after.
    expect(reads()).toBe(4);
    expect(changesOf(shown)).toEqual([
      [1, 2, 22],
      [0, 1, 11],
    ]);
  });

  it("that moves cells before they were read: nobody knows what they showed", async () => {
    const shown = await editing(({ stage }) => stage.workbook.tellEdit([movedFrom(0)]), 50);
    expect(shown.report()).toMatchObject({ changed: [], added: [], notCompared: 3 });
  });

  it("that renames the sheet: its changes have the new name", async () => {
    const shown = await show([1]);
    const { workbook, clock, refresher, cells } = shown.stage;
    shown.next.set(0, 4);
    const refreshing = refresher.start("workbook");
    clock.setTimeout(() => {
      workbook.renameSheet("Plan", "Week 47");
      cells.respellAddresses((address) => address.replace("Plan!", "'Week 47'!"));
      workbook.tellEdit({ from: "Plan", to: "Week 47" });
    }, 600);
    await clock.until(refreshing);
    await shown.told();
    expect(shown.report().changed).toMatchObject([
      { cell: { sheet: "Week 47", row: 0 }, values: [{ before: 1, after: 4 }] },
    ]);
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

  it.each([
    ["cannot be read", () => Promise.reject(new Error("closed"))],
    ["cannot be read in time", () => new Promise<never>(() => undefined)],
  ])("stays when the cells %s, and the refresh goes on without", async (_, contentsOf) => {
    const shown = await reported();
    const first = shown.report();
    shown.stage.workbook.contentsOf = contentsOf;
    await shown.refresh();
    expect(shown.stage.refresher.state).toMatchObject({ phase: "done", refreshed: 2 });
    expect(shown.report()).toBe(first);
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
});

function countReads({ stage }: Shown): () => number {
  let reads = 0;
  const { contentsOf } = stage.workbook;
  stage.workbook.contentsOf = (areas) => {
    reads += 1;
    return contentsOf(areas);
  };
  return () => reads;
}
