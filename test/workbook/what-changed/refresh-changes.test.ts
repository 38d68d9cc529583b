/** The changes that a refresh reports, on a virtual clock, over a workbook whose cells show the test's values. */
import { cellAddresses } from "../../../src/workbook/addresses";
import { queryOf } from "../refresh/refresh-stage";
import { changesOf, formulaOf, show, type Shown } from "./changes-stage";

it("counts and lists changes, the largest difference first, with store and item", async () => {
  const shown = await show([5, 10, 0, 7, "a", 3]);
  [5, 0, 4, 107, "b", 2].forEach((value, row) => shown.next.set(row, value));
  await shown.refresh();
  expect(shown.report()).toMatchObject({ scope: "workbook", compared: 6, toZero: 1, fromZero: 1 });
  expect(changesOf(shown)).toEqual([
    [3, 7, 107, 100],
    [1, 10, 0, -10],
    [2, 0, 4, 4],
    [5, 3, 2, -1],
    [4, "a", "b", null],
  ]);
  const [first] = shown.report().changes;
  expect(first).toMatchObject({ sheet: "Plan", col: 2, store: "1234", item: queryOf(first!).value });
});

it("shows changes since the file was saved, for cells that this session hasn't calculated", async () => {
  const shown = await show([5, 10]);
  shown.stage.cells.forget([0, 1].map((row) => cellAddresses({ sheet: "Plan", row, col: 2 })[0]));
  shown.next.set(1, 12);
  await shown.refresh();
  expect(changesOf(shown)).toEqual([[1, 10, 12, 2]]);
  expect(shown.report()).toMatchObject({ compared: 2, notCompared: [], changes: [{ store: "1234" }] });
});

it("counts a failed cell as unchanged, even if its formula turns the error into 0", async () => {
  const shown = await show(
    [5, 6, null, "#BUSY!", 9, "#NAME?", 4],
    (row) => `=IFERROR(${formulaOf(row).slice(1)},0)`,
  );
  shown.stage.endingOf = ({ row }) => (row < 2 ? "failed" : "value");
  [0, "#VALUE!", 3, 3, null, 8, 4].forEach((value, row) => shown.next.set(row, value));
  await shown.refresh();
  expect(shown.report()).toMatchObject({
    ...{ changes: [], compared: 1, notAnswered: 2, withoutValue: 4, toZero: 0, notCompared: [] },
  });
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
  expect(shown.report().compared).toBe(125);
  expect(changesOf(shown)).toEqual([[2, 2, 4, 2]]);
});

it("reads a waiting cell again", async () => {
  const shown = await show([5, 6]);
  shown.next.set(0, "#BUSY!");
  await shown.stage.clock.until(shown.stage.refresher.start("workbook"));
  shown.stage.clock.setTimeout(
    () => (shown.stage.workbook.valueOf = (_formula, { row }) => (row === 0 ? 8 : 6)),
    2_000,
  );
  await shown.told();
  expect(changesOf(shown)).toEqual([[0, 5, 8, 3]]);
});

it("reads before anything is marked, and waits for the host's calculation", async () => {
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

describe("cells that an edit touched or moved are named and not compared", () => {
  it.each([
    ["the cell itself", { sheet: "Plan", row: 1, col: 2, rows: 1, cols: 1 }],
    ["a cell that its formula names", { sheet: "Plan", row: 1, col: 0, rows: 1, cols: 1 }],
  ])("%s", async (_what, area) => {
    const shown = await show([1, 2, 3]);
    [11, 12, 13].forEach((value, row) => shown.next.set(row, value));
    const refreshing = shown.stage.refresher.start("workbook");
    shown.stage.clock.setTimeout(() => shown.stage.workbook.tellEdit([area]), 150);
    await shown.stage.clock.until(refreshing);
    await shown.told();
    expect(shown.report()).toMatchObject({
      compared: 2,
      notCompared: [{ cell: { sheet: "Plan", row: 1, col: 2 }, reason: "edited" }],
    });
    expect(changesOf(shown).map(([row]) => row)).toEqual([0, 2]);
  });

  it("everything, if cells may have moved anywhere", async () => {
    const shown = await show([1, 2]);
    shown.stage.clock.setTimeout(() => shown.stage.workbook.tellEdit(null), 100);
    await shown.refresh();
    expect(shown.report()).toMatchObject({ compared: 0, changes: [] });
    expect(shown.report().notCompared).toHaveLength(2);
  });

  it("a cell with another query", async () => {
    const shown = await show([1, 2]);
    [11, 12].forEach((value, row) => shown.next.set(row, value));
    const { begin } = shown.stage.cells;
    shown.stage.cells.begin = (address, id) => {
      const report = begin(address, id);
      const { requests } = report;
      const other = address === "Plan!C1" ? { value: "00000000000999" } : {};
      return Object.assign(Object.create(report) as typeof report, {
        requests: (query: never) => requests.call(report, { ...(query as object), ...other } as never),
        answered: report.answered.bind(report),
        settled: report.settled.bind(report),
      });
    };
    await shown.refresh();
    expect(shown.report().notCompared).toEqual([
      { cell: { sheet: "Plan", row: 0, col: 2 }, reason: "other-query" },
    ]);
    expect(changesOf(shown)).toEqual([[1, 2, 12, 10]]);
  });

  it("but not cells of a renamed sheet, which get its new name", async () => {
    const shown = await show([1]);
    const { workbook, clock } = shown.stage;
    shown.next.set(0, 4);
    const areas: string[] = [];
    const { contentsOf } = workbook;
    workbook.contentsOf = (asked) => {
      areas.push(...asked.map(({ sheet }) => sheet));
      return contentsOf(asked.map((area) => ({ ...area, sheet: "Plan" })));
    };
    const refreshing = shown.stage.refresher.start("workbook");
    clock.setTimeout(() => workbook.tellEdit({ from: "Plan", to: "Week 47" }), 150);
    await clock.until(refreshing);
    await shown.told();
    expect([areas[0], areas.at(-1)]).toEqual(["Plan", "Week 47"]);
    expect(shown.report().changes).toMatchObject([{ sheet: "Week 47", row: 0, before: 1, after: 4 }]);
  });
});

describe("the last completed report", () => {
  async function reported(): Promise<Shown> {
    const shown = await show([1, 2]);
    shown.next.set(0, 5);
    await shown.refresh();
    return shown;
  }

  it("stays after a cancel, and a resume compares with the start", async () => {
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
    await stage.clock.until(stage.refresher.resume());
    await shown.told();
    expect(changesOf(shown)).toEqual([
      [1, 2, 60, 58],
      [0, 5, 50, 45],
    ]);
  });

  it("is empty if nothing was marked, and stays if another refresh begins first", async () => {
    const shown = await reported();
    const { stage } = shown;
    stage.endingOf = () => "failed";
    await shown.refresh();
    expect(changesOf(shown)).toEqual([]);

    stage.endingOf = () => "value";
    shown.next.set(0, 7);
    await stage.clock.until(stage.refresher.start("workbook"));
    expect(stage.refresher.state.phase).toBe("done");
    shown.next.set(0, 9);
    await shown.refresh();
    expect(changesOf(shown)).toEqual([[0, 7, 9, 2]]);
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
