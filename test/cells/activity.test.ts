/** The activity list: reasons with the cells that show them, and the last 500 problems. */
import { InvError, type ErrorCode } from "../../src/domain/errors";
import { createActivity } from "../../src/cells/activity";
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
  const activity = createActivity({ clock });
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
    if (cell.problem.error !== null) activity.remove(cell, cell.problem.error);
  }

  function record(of: Cell | null, place: string | null, error: InvError): void {
    const problem = { atMs: 0, store: "1234", item: "x", error };
    if (of !== null && place !== null) addProblem(of.problem, { ...problem, cell: place });
    activity.record({ ...problem, cell: place });
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
    activity.add(cell, error);
    return cell;
  }

  return { clock, activity, begin, record, fail, remove };
}

const unmapped = ["not-mapped", "GTIN not mapped to the supplier"] as const;
const quota = ["quota", "The quota is used up."] as const;

describe("the activity list", () => {
  it("groups cells by reason, largest group first", () => {
    const { activity, fail } = setUp();
    fail("A1", quota);
    for (let row = 1; row <= 214; row++) fail(`B${row}`);
    expect(activity.groups().map(({ code, reason, count }) => [code, reason, count])).toEqual([
      ["not-mapped", "GTIN not mapped to the supplier", 214],
      ["quota", "The quota is used up.", 1],
    ]);
    expect(activity.groups()[0]?.cells[0]).toMatchObject({ address: "B214", problems: [{ cell: "B214" }] });
  });

  it("treats messages that differ only in the received value as one reason", () => {
    const { activity, fail } = setUp();
    fail("A1", ["bad-argument", 'store: expected digits, received "x".']);
    fail("A2", ["bad-argument", 'store: expected digits, received "7".']);
    fail("A3", ["bad-argument", 'item: expected a GTIN, received "7".']);
    expect(activity.groups().map(({ reason, count }) => [reason, count])).toEqual([
      ['store: expected digits, received "…".', 2],
      ['item: expected a GTIN, received "7".', 1],
    ]);
  });

  it("uses the general reason if messages differ in numbers", () => {
    const { activity, fail } = setUp();
    fail("A1", ["timeout", "No answer after 30 seconds."]);
    fail("A2", ["timeout", "No answer after 31 seconds."]);
    expect(activity.groups()).toMatchObject([{ reason: "The service did not answer in time", count: 2 }]);
  });

  it("counts each cell once, for its latest reason", () => {
    const { activity, fail } = setUp();
    fail("A1");
    fail("A1");
    expect(activity.groups()).toMatchObject([{ count: 1, cells: [{ address: "A1", missing: 1 }] }]);
    fail("A1", quota);
    expect(activity.groups().map(({ code, count }) => [code, count])).toEqual([["quota", 1]]);
    expect(activity.recent()).toHaveLength(3);
  });

  it("counts a formula with many values as one cell, which has them in their order", () => {
    const { activity, begin, fail, record } = setUp();
    fail("A1", unmapped, ["A1", "A2", "A3"]);
    fail("B1");
    expect(activity.groups()).toMatchObject([{ count: 2, cells: [{ address: "B1" }, { address: "A1" }] }]);
    const [, grid] = activity.groups()[0]?.cells ?? [];
    expect(grid?.missing).toBe(3);
    expect(grid?.problems.map(({ cell }) => cell)).toEqual(["A1", "A2", "A3"]);
    // Two functions of a formula fail in one value.
    const both = begin("B1");
    const error = new InvError(...quota);
    for (const place of ["B1", "B1"]) record(both, place, error);
    activity.add(both, error);
    expect(activity.groups()[1]).toMatchObject({
      count: 1,
      cells: [{ missing: 1, problems: [{ cell: "B1" }] }],
    });
    expect(activity.groups()[1]?.cells[0]?.problems).toHaveLength(1);
  });

  it("lists only the values that are missing since the last calculation", () => {
    const { activity, begin, fail } = setUp();
    fail("A1", unmapped, ["A1", "A2", "A3"]);
    fail("A1", unmapped, ["A3"]);
    expect(activity.groups()).toMatchObject([{ cells: [{ missing: 1, problems: [{ cell: "A3" }] }] }]);
    begin("A1");
    expect(activity.groups()).toEqual([]);
  });

  it("doesn't count a cell that has a value again", () => {
    const { activity, fail, remove } = setUp();
    const first = fail("A1");
    const second = fail("A2");
    remove(first);
    remove(first);
    expect(activity.groups()).toMatchObject([{ count: 1, cells: [{ address: "A2" }] }]);
    remove(second);
    expect(activity.groups()).toEqual([]);
    expect(activity.recent()).toHaveLength(2);
  });

  it("counts each problem without an address, until they are removed", () => {
    const { activity, fail, record } = setUp();
    for (let each = 0; each < 2; each += 1) record(null, null, new InvError(...unmapped));
    const unknown = { address: null, missing: 1, problems: [{ cell: null }] };
    expect(activity.groups()).toMatchObject([{ count: 2, cells: [unknown, unknown] }]);
    fail("A1");
    record(null, null, new InvError(...quota));
    activity.forgetUnplaced();
    expect(activity.groups()).toMatchObject([{ count: 1, cells: [{ address: "A1" }] }]);
    expect(activity.recent()).toHaveLength(1);
    record(null, null, new InvError(...unmapped));
    expect(activity.groups()).toMatchObject([{ count: 2 }]);
  });

  it("lists problems without an address, the newest 500, however many other problems follow", () => {
    const { activity, fail, record } = setUp();
    const error = new InvError(...unmapped);
    for (let each = 0; each < 5; each += 1) record(null, null, error);
    for (let row = 0; row < 1_200; row++) fail(`A${row}`, quota);
    expect(activity.groups()[1]).toMatchObject({ count: 5, cells: { length: 5, 0: { address: null } } });
    for (let each = 0; each < 1_195; each += 1) record(null, null, error);
    expect(activity.groups()[1]).toMatchObject({ count: 1_200, cells: { length: 500 } });
    activity.forgetUnplaced();
    expect(activity.groups()).toMatchObject([{ code: "quota", count: 1_200, cells: { length: 500 } }]);
  });

  it.each([0, 1, 499, 500, 501, 10_000])(
    "keeps the last 500 of %i, newest first, and counts all",
    (count) => {
      const { activity, fail } = setUp();
      for (let row = 1; row <= count; row++) fail(`A${row}`);
      const recent = activity.recent();
      expect(recent).toHaveLength(Math.min(count, 500));
      if (count > 0) {
        expect(recent[0]?.cell).toBe(`A${count}`);
        expect(activity.groups()[0]?.count).toBe(count);
      }
    },
  );

  it("lists cells of a group however many later problems another group has, and however many of its own are resolved", () => {
    const { activity, fail, remove } = setUp();
    const cells = Array.from({ length: 1_000 }, (_, row) => fail(`A${row}`, quota));
    for (let row = 0; row < 2_000; row++) fail(`B${row}`);
    for (const cell of cells.slice(300)) remove(cell);
    const [, group] = activity.groups();
    expect(group).toMatchObject({ count: 300, cells: { length: 300, 0: { address: "A299" } } });
  });

  it("notifies listeners at most ten times a second", async () => {
    const { clock, activity, fail } = setUp();
    let told = 0;
    activity.subscribe(() => told++);
    for (let tenth = 0; tenth < 10; tenth++) {
      for (let row = 0; row < 100; row++) fail(`A${row}`);
      await clock.advance(100);
    }
    expect(told).toBe(10);
  });

  it("writes the addresses of a renamed sheet", () => {
    const { activity, fail } = setUp();
    const rename = (address: string) => address.replace("Plan!", "Week!");
    const cell = fail("Plan!A1", unmapped, ["Plan!A1", "Plan!A2"]);
    cell.address = "Week!A1";
    respellProblems(cell.problem, rename);
    activity.respellAddresses(rename);
    expect(activity.groups()).toMatchObject([
      { count: 1, cells: [{ address: "Week!A1", problems: [{ cell: "Week!A1" }, { cell: "Week!A2" }] }] },
    ]);
    expect(activity.recent().map((problem) => problem.cell)).toEqual(["Week!A2", "Week!A1"]);
  });
});
