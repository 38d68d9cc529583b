/** The problem list: reasons with the cells that show them, and the last 500 problems. */
import { InvError, type ErrorCode } from "../../src/domain/errors";
import { createProblemList } from "../../src/cells/problem-list";
import {
  addProblem,
  ensureProblemDetails,
  type ProblemDetails,
  respellProblems,
} from "../../src/cells/problem-details";
import { createVirtualClock, type VirtualClock } from "../helpers/virtual-clock";

interface Cell {
  address: string;
  problem: ProblemDetails;
}

function setUp() {
  const clock: VirtualClock = createVirtualClock();
  const problemList = createProblemList({ clock });
  const cells = new Map<string, Cell>();

  /** Calculates a cell again. */
  function begin(address: string): Cell {
    const before = cells.get(address);
    if (before !== undefined) remove(before);
    const problem = ensureProblemDetails({ problem: null });
    const cell = Object.assign(before ?? { address }, { problem });
    cells.set(address, cell);
    return cell;
  }

  /** The cell has a value again. */
  function remove(cell: Cell): void {
    if (cell.problem.error !== null) problemList.remove(cell, cell.problem.error);
  }

  function record(of: Cell | null, place: string | null, error: InvError): void {
    const problem = { atMs: 0, store: "1234", item: "x", error };
    if (of !== null && place !== null) addProblem(of.problem, { ...problem, cell: place });
    problemList.record({ ...problem, cell: place });
  }

  /** The cell ends with this error, in these of its values. */
  function fail(
    address: string,
    [code, message]: readonly [ErrorCode, string] = unmapped,
    places = [address],
  ) {
    const error = new InvError(code, message);
    const cell = begin(address);
    cell.problem.error = error;
    for (const place of places) record(cell, place, error);
    problemList.add(cell, error);
    return cell;
  }

  return { clock, problemList, begin, record, fail, remove };
}

const unmapped = ["not-mapped", "GTIN not mapped to the supplier"] as const;
const quota = ["quota", "The quota is used up."] as const;

describe("the problem list", () => {
  it("groups cells by reason, largest group first", () => {
    const { problemList, fail } = setUp();
    fail("A1", quota);
    for (let row = 1; row <= 214; row++) fail(`B${row}`);
    expect(problemList.groups().map(({ code, reason, count }) => [code, reason, count])).toEqual([
      ["not-mapped", "GTIN not mapped to the supplier", 214],
      ["quota", "The quota is used up.", 1],
    ]);
    expect(problemList.groups()[0]?.cells[0]).toMatchObject({
      address: "B214",
      problems: [{ cell: "B214" }],
    });
  });

  it("treats messages that differ only in the received value as one reason", () => {
    const { problemList, fail } = setUp();
    fail("A1", ["bad-argument", 'store: expected digits, received "x".']);
    fail("A2", ["bad-argument", 'store: expected digits, received "7".']);
    fail("A3", ["bad-argument", 'item: expected a GTIN, received "7".']);
    expect(problemList.groups().map(({ reason, count }) => [reason, count])).toEqual([
      ['store: expected digits, received "…".', 2],
      ['item: expected a GTIN, received "7".', 1],
    ]);
  });

  it("uses the general reason if messages differ in numbers", () => {
    const { problemList, fail } = setUp();
    fail("A1", ["timeout", "No answer after 30 seconds."]);
    fail("A2", ["timeout", "No answer after 31 seconds."]);
    expect(problemList.groups()).toMatchObject([{ reason: "The service did not answer in time", count: 2 }]);
  });

  it("counts each cell once, for its latest reason", () => {
    const { problemList, fail } = setUp();
    fail("A1");
    fail("A1");
    expect(problemList.groups()).toMatchObject([{ count: 1, cells: [{ address: "A1", missing: 1 }] }]);
    fail("A1", quota);
    expect(problemList.groups().map(({ code, count }) => [code, count])).toEqual([["quota", 1]]);
    expect(problemList.recent()).toHaveLength(3);
  });

  it("counts a formula with many values as one cell, which has them in their order", () => {
    const { problemList, begin, fail, record } = setUp();
    fail("A1", unmapped, ["A1", "A2", "A3"]);
    fail("B1");
    expect(problemList.groups()).toMatchObject([{ count: 2, cells: [{ address: "B1" }, { address: "A1" }] }]);
    const [, grid] = problemList.groups()[0]?.cells ?? [];
    expect(grid?.missing).toBe(3);
    expect(grid?.problems.map(({ cell }) => cell)).toEqual(["A1", "A2", "A3"]);
    // Two functions of a formula fail in one value.
    const both = begin("B1");
    const error = new InvError(...quota);
    for (const place of ["B1", "B1"]) record(both, place, error);
    problemList.add(both, error);
    expect(problemList.groups()[1]).toMatchObject({
      count: 1,
      cells: [{ missing: 1, problems: [{ cell: "B1" }] }],
    });
    expect(problemList.groups()[1]?.cells[0]?.problems).toHaveLength(1);
  });

  it("lists only the values that are missing since the last calculation", () => {
    const { problemList, begin, fail } = setUp();
    fail("A1", unmapped, ["A1", "A2", "A3"]);
    fail("A1", unmapped, ["A3"]);
    expect(problemList.groups()).toMatchObject([{ cells: [{ missing: 1, problems: [{ cell: "A3" }] }] }]);
    begin("A1");
    expect(problemList.groups()).toEqual([]);
  });

  it("doesn't count a cell that has a value again", () => {
    const { problemList, fail, remove } = setUp();
    const first = fail("A1");
    const second = fail("A2");
    remove(first);
    remove(first);
    expect(problemList.groups()).toMatchObject([{ count: 1, cells: [{ address: "A2" }] }]);
    remove(second);
    expect(problemList.groups()).toEqual([]);
    expect(problemList.recent()).toHaveLength(2);
  });

  it("counts each problem without an address, until they are removed", () => {
    const { problemList, fail, record } = setUp();
    for (let each = 0; each < 2; each += 1) record(null, null, new InvError(...unmapped));
    const unknown = { address: null, missing: 1, problems: [{ cell: null }] };
    expect(problemList.groups()).toMatchObject([{ count: 2, cells: [unknown, unknown] }]);
    fail("A1");
    record(null, null, new InvError(...quota));
    problemList.forgetUnplaced();
    expect(problemList.groups()).toMatchObject([{ count: 1, cells: [{ address: "A1" }] }]);
    expect(problemList.recent()).toHaveLength(1);
    record(null, null, new InvError(...unmapped));
    expect(problemList.groups()).toMatchObject([{ count: 2 }]);
  });

  it("lists problems without an address, the newest 500, however many other problems follow", () => {
    const { problemList, fail, record } = setUp();
    const error = new InvError(...unmapped);
    for (let each = 0; each < 5; each += 1) record(null, null, error);
    for (let row = 0; row < 1_200; row++) fail(`A${row}`, quota);
    expect(problemList.groups()[1]).toMatchObject({ count: 5, cells: { length: 5, 0: { address: null } } });
    for (let each = 0; each < 1_195; each += 1) record(null, null, error);
    expect(problemList.groups()[1]).toMatchObject({ count: 1_200, cells: { length: 500 } });
    problemList.forgetUnplaced();
    expect(problemList.groups()).toMatchObject([{ code: "quota", count: 1_200, cells: { length: 500 } }]);
  });

  it.each([0, 1, 499, 500, 501, 10_000])(
    "keeps the last 500 of %i, newest first, and counts all",
    (count) => {
      const { problemList, fail } = setUp();
      for (let row = 1; row <= count; row++) fail(`A${row}`);
      const recent = problemList.recent();
      expect(recent).toHaveLength(Math.min(count, 500));
      if (count > 0) {
        expect(recent[0]?.cell).toBe(`A${count}`);
        expect(problemList.groups()[0]?.count).toBe(count);
      }
    },
  );

  it("lists cells of a group however many later problems another group has, and however many of its own are resolved", () => {
    const { problemList, fail, remove } = setUp();
    const cells = Array.from({ length: 1_000 }, (_, row) => fail(`A${row}`, quota));
    for (let row = 0; row < 2_000; row++) fail(`B${row}`);
    for (const cell of cells.slice(300)) remove(cell);
    const [, group] = problemList.groups();
    expect(group).toMatchObject({ count: 300, cells: { length: 300, 0: { address: "A299" } } });
  });

  it("notifies listeners at most ten times a second", async () => {
    const { clock, problemList, fail } = setUp();
    let told = 0;
    problemList.subscribe(() => told++);
    for (let tenth = 0; tenth < 10; tenth++) {
      for (let row = 0; row < 100; row++) fail(`A${row}`);
      await clock.advance(100);
    }
    expect(told).toBe(10);
  });

  it("writes the addresses of a renamed sheet", () => {
    const { problemList, fail } = setUp();
    const rename = (address: string) => address.replace("Plan!", "Week!");
    const cell = fail("Plan!A1", unmapped, ["Plan!A1", "Plan!A2"]);
    cell.address = "Week!A1";
    respellProblems(cell.problem, rename);
    problemList.respellAddresses(rename);
    expect(problemList.groups()).toMatchObject([
      { count: 1, cells: [{ address: "Week!A1", problems: [{ cell: "Week!A1" }, { cell: "Week!A2" }] }] },
    ]);
    expect(problemList.recent().map((problem) => problem.cell)).toEqual(["Week!A2", "Week!A1"]);
  });
});
