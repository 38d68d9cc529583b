/** Deleted and overwritten formulas leave the count; an edit elsewhere costs no read. */
import { followEdits } from "../../src/workbook/edit-follower";
import type { Area, CellRef } from "../../src/workbook/port";
import { createStage, type Stage } from "./refresh/refresh-stage";

const at = (row: number, rows = 1): Area => ({ sheet: "Plan", row, col: 2, rows, cols: 1 });

/** Formulas in C1:C<count> of Plan, all calculated, with edits followed. */
async function followed(count: number): Promise<Stage & { refs: CellRef[] }> {
  const stage = createStage();
  const { workbook, cells, clock } = stage;
  followEdits({ workbook, cells, clock });
  const refs = await stage.fill("Plan", count);
  return Object.assign(stage, { refs });
}

const countOf = (stage: Stage): number => stage.cells.summary().cells;

/** Deletes cells as a person does. */
function erase(stage: Stage, row: number, rows = 1): void {
  for (let each = row; each < row + rows; each += 1) stage.workbook.put({ ...at(each) }, null);
  stage.workbook.tellEdit([at(row, rows)]);
}

describe("after an edit", () => {
  it.each([1, 99, 100, 101, 10_000])(
    "of one of %i formulas the count is right, by one small look",
    async (count) => {
      const stage = await followed(count);
      expect(countOf(stage)).toBe(count);
      erase(stage, 0);
      await stage.clock.advance(400);
      expect(countOf(stage)).toBe(count - 1);
      expect(stage.workbook.searches).toEqual([[at(0)]]);
    },
  );

  it("is forgotten if its cell gets other content, and kept if it is typed again", async () => {
    const stage = await followed(3);
    stage.workbook.put(stage.refs[0]!, 7);
    stage.workbook.put(stage.refs[1]!, "=INV.ENV()");
    stage.workbook.tellEdit([at(0, 2)]);
    await stage.clock.advance(400);
    expect([...stage.cells.all()].map(({ address }) => address)).toEqual(["Plan!C2", "Plan!C3"]);
  });

  it("reads nothing if the edit is elsewhere", async () => {
    const stage = await followed(100);
    stage.workbook.tellEdit([{ ...at(0), col: 3 }]);
    stage.workbook.tellEdit([at(100, 1_000_000)]);
    stage.workbook.tellEdit([{ ...at(0, 1_048_576), sheet: "Other" }]);
    await stage.clock.advance(5000);
    expect(stage.workbook.searches).toEqual([]);
  });

  it("after several quick edits reads once, and reads neighbours as one area", async () => {
    const stage = await followed(100);
    for (let row = 10; row < 20; row += 1) {
      erase(stage, row);
      await stage.clock.advance(50);
    }
    expect(stage.workbook.searches).toEqual([]);
    await stage.clock.advance(400);
    expect(stage.workbook.searches).toEqual([[at(10, 10)]]);
    expect(countOf(stage)).toBe(90);
  });

  it("of a thousand scattered formulas, the whole workbook is read once", async () => {
    const stage = await followed(2000);
    for (let row = 0; row < 2000; row += 2) erase(stage, row);
    await stage.clock.advance(400);
    expect(stage.workbook.searches).toEqual([null]);
    expect(countOf(stage)).toBe(1000);
  });

  it("of an unknown place reads all known cells, including those of a deleted sheet", async () => {
    const stage = await followed(5);
    for (const ref of stage.refs) stage.workbook.put(ref, null);
    stage.workbook.tellEdit(null);
    await stage.clock.advance(400);
    expect(countOf(stage)).toBe(0);
  });

  it("finds formulas on sheets whose names are quoted", async () => {
    const stage = await followed(0);
    const ref = { sheet: "It's May", row: 0, col: 2 };
    stage.cells.begin("'It''s May'!C1", "demo").settled();
    stage.workbook.put(ref, null);
    stage.workbook.tellEdit([{ ...ref, rows: 1, cols: 1 }]);
    await stage.clock.advance(400);
    expect(countOf(stage)).toBe(0);
  });
});

describe("the read after an edit", () => {
  it("during a refresh ends the refresh of a cell that contains a number now", async () => {
    const stage = await followed(10);
    stage.answerAfterMs = 5000;
    stage.endingOf = ({ row }) => (row === 0 ? "uncalled" : "value");
    await stage.run(10);
    stage.workbook.put(at(0), 7);
    stage.workbook.tellEdit([at(0)]);
    await stage.clock.advance(400);
    expect(countOf(stage)).toBe(9);
    await stage.clock.advance(6_000);
    expect(stage.refresher.state).toMatchObject({ phase: "done", cells: 9, refreshed: 9, unrefreshed: [] });
  });

  it("lets a refresh also calculate a formula that an inserted row moved out of the marked cells", async () => {
    const stage = await followed(3);
    const { workbook } = stage;
    await stage.run(50);
    for (const row of [3, 2, 1]) {
      workbook.put({ ...at(row), col: 1 }, row);
      workbook.put(at(row), `=INV.QTY(A${row + 1},B${row + 1})`);
    }
    erase(stage, 0);
    workbook.tellEdit([at(0, 100)]);
    stage.endingOf = ({ row }) => (row === 0 ? "uncalled" : "value");
    await stage.clock.advance(3_000);
    expect(stage.refresher.state).toMatchObject({ phase: "done", refreshed: 3 });
    expect(workbook.recalculated.map((cells) => cells.map(({ row }) => row))).toEqual([[1, 2], [3]]);
    expect([...stage.cells.all()].map(({ address }) => address)).toEqual(["Plan!C2", "Plan!C3", "Plan!C4"]);
  });

  it("waits for a formula that was deleted before its answer came", async () => {
    const stage = await followed(1);
    stage.answerAfterMs = 2000;
    const calculated = stage.calculate(stage.refs);
    await stage.clock.advance(100);
    erase(stage, 0);
    await stage.clock.advance(1000);
    expect([countOf(stage), stage.workbook.searches]).toEqual([1, []]);
    await calculated;
    await stage.clock.advance(400);
    expect(countOf(stage)).toBe(0);
  });

  it("doesn't forget a cell that was edited again during the search", async () => {
    const stage = await followed(1);
    const { workbook } = stage;
    const read = workbook.findFormulas;
    let reads = 0;
    workbook.findFormulas = async (matches, within) => {
      const found = await read(matches, within);
      if (++reads > 1) return found;
      workbook.put(stage.refs[0]!, "=INV.ENV()");
      workbook.tellEdit([at(0)]);
      return found;
    };
    erase(stage, 0);
    await stage.clock.advance(1000);
    expect([countOf(stage), reads]).toEqual([1, 2]);
  });

  it("is repeated with the next edit if the workbook refuses it", async () => {
    const stage = await followed(3);
    const { workbook } = stage;
    const read = workbook.findFormulas;
    workbook.findFormulas = () => Promise.reject(new Error("busy"));
    erase(stage, 0);
    await stage.clock.advance(5000);
    expect(countOf(stage)).toBe(3);
    workbook.findFormulas = read;
    erase(stage, 1);
    await stage.clock.advance(400);
    expect(countOf(stage)).toBe(1);
  });
});

it("a renamed sheet keeps its cells and their problems, in both spellings", async () => {
  const stage = createStage();
  followEdits(stage);
  stage.endingOf = ({ row }) => (row === 1 ? "none" : "value");
  await stage.fill("Plan", 3);
  await stage.fill("Other", 1);
  const queries = stage.cells.get("Plan!C3")?.queries;
  const { oldestMs } = stage.cells.summary();
  stage.workbook.tellEdit({ from: "Plan", to: "Week 47" });
  expect(stage.cells.get("Plan!C3")).toBeUndefined();
  expect(stage.cells.get("'Week 47'!C3")).toMatchObject({ queries, state: "value" });
  expect(stage.cells.problemList.groups()).toMatchObject([
    { count: 1, cells: [{ address: "'Week 47'!C2", problems: [{ cell: "'Week 47'!C2" }] }] },
  ]);
  expect(stage.cells.problemList.recent()).toMatchObject([{ cell: "'Week 47'!C2" }]);

  stage.workbook.tellEdit({ from: "Week 47", to: "Next" });
  expect([...stage.cells.all()].map(({ address }) => address).sort()).toEqual([
    "Next!C1",
    "Next!C2",
    "Next!C3",
    "Other!C1",
  ]);
  expect(stage.cells.summary()).toMatchObject({ cells: 4, oldestMs });
  expect(stage.workbook.searches).toEqual([]);

  // A cell that is recalculated under the new name is the same cell, so its problem disappears.
  stage.endingOf = () => "value";
  await stage.calculate([{ sheet: "Next", row: 1, col: 2 }]);
  expect(stage.cells.summary().cells).toBe(4);
  expect(stage.cells.problemList.groups()).toEqual([]);
});
