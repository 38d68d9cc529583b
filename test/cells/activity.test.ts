/** The activity list: reasons with the number of cells that show them, and the last 500 problems. */
import { InvError, type ErrorCode } from "../../src/domain/errors";
import { createActivity, type Problem } from "../../src/cells/activity";
import { createVirtualClock, type VirtualClock } from "../helpers/virtual-clock";

function problem(cell: string | null, code: ErrorCode, message: string): Problem {
  return { atMs: 0, cell, store: "1234", item: "x", error: new InvError(code, message) };
}

const unmapped = (cell: string | null): Problem =>
  problem(cell, "not-mapped", "GTIN not mapped to the supplier");

function setUp(): { clock: VirtualClock; activity: ReturnType<typeof createActivity> } {
  const clock = createVirtualClock();
  return { clock, activity: createActivity({ clock }) };
}

describe("the activity list", () => {
  it("groups cells by reason, largest group first", () => {
    const { activity } = setUp();
    activity.record(problem("A1", "quota", "The quota is used up."));
    for (let row = 1; row <= 214; row++) activity.record(unmapped(`B${row}`));
    expect(activity.groups().map(({ code, reason, count }) => [code, reason, count])).toEqual([
      ["not-mapped", "GTIN not mapped to the supplier", 214],
      ["quota", "The quota is used up.", 1],
    ]);
    expect(activity.groups()[0]?.problems[0]?.cell).toBe("B214");
  });

  it("treats messages that differ only in the received value as one reason", () => {
    const { activity } = setUp();
    activity.record(problem("A1", "bad-argument", 'store: expected digits, received "x".'));
    activity.record(problem("A2", "bad-argument", 'store: expected digits, received "7".'));
    activity.record(problem("A3", "bad-argument", 'item: expected a GTIN, received "7".'));
    expect(activity.groups().map(({ reason, count }) => [reason, count])).toEqual([
      ['store: expected digits, received "…".', 2],
      ['item: expected a GTIN, received "7".', 1],
    ]);
  });

  it("uses the general reason if messages differ in numbers", () => {
    const { activity } = setUp();
    activity.record(problem("A1", "timeout", "No answer after 30 seconds."));
    activity.record(problem("A2", "timeout", "No answer after 31 seconds."));
    expect(activity.groups()).toMatchObject([{ reason: "The service did not answer in time", count: 2 }]);
  });

  it("counts each cell once, for its latest reason", () => {
    const { activity } = setUp();
    activity.record(unmapped("A1"));
    activity.record(unmapped("A1"));
    expect(activity.groups()).toMatchObject([{ count: 1, problems: [{ cell: "A1" }] }]);
    activity.record(problem("A1", "quota", "The quota is used up."));
    expect(activity.groups().map(({ code, count }) => [code, count])).toEqual([["quota", 1]]);
    expect(activity.recent()).toHaveLength(3);
  });

  it("doesn't count a cell that has a value again", () => {
    const { activity } = setUp();
    activity.record(unmapped("A1"));
    activity.record(unmapped("A2"));
    activity.resolve("A1");
    activity.resolve("Z9");
    expect(activity.groups()).toMatchObject([{ count: 1, problems: [{ cell: "A2" }] }]);
    activity.resolve("A2");
    expect(activity.groups()).toEqual([]);
    expect(activity.recent()).toHaveLength(2);
  });

  it("counts each problem without an address", () => {
    const { activity } = setUp();
    activity.record(unmapped(null));
    activity.record(unmapped(null));
    expect(activity.groups()).toMatchObject([{ count: 2, problems: [{ cell: null }, { cell: null }] }]);
  });

  it.each([0, 1, 499, 500, 501, 10_000])(
    "keeps the last 500 of %i, newest first, and counts all",
    (count) => {
      const { activity } = setUp();
      for (let row = 1; row <= count; row++) activity.record(unmapped(`A${row}`));
      const recent = activity.recent();
      expect(recent).toHaveLength(Math.min(count, 500));
      if (count > 0) {
        expect(recent[0]?.cell).toBe(`A${count}`);
        expect(activity.groups()[0]?.count).toBe(count);
      }
    },
  );

  it("is empty after clearing", () => {
    const { activity } = setUp();
    activity.record(unmapped("A1"));
    activity.clear();
    expect([activity.recent(), activity.groups()]).toEqual([[], []]);
    activity.record(unmapped("A1"));
    expect(activity.groups()).toMatchObject([{ count: 1 }]);
  });

  it("notifies listeners at most ten times a second", async () => {
    const { clock, activity } = setUp();
    let told = 0;
    activity.subscribe(() => told++);
    for (let tenth = 0; tenth < 10; tenth++) {
      for (let row = 0; row < 100; row++) activity.record(unmapped(`A${row}`));
      await clock.advance(100);
    }
    expect(told).toBe(10);
  });

  it("counts one cell if two get the same address", () => {
    const { activity } = setUp();
    const spell = (cell: string): string => cell.replace("Plan!", "Week!");
    for (const cell of ["Plan!A1", "Week!A1", "Plan!A2"]) activity.record(unmapped(cell));
    activity.respellAddresses(spell);
    expect(activity.groups().map(({ count }) => count)).toEqual([2]);
    for (const cell of ["Week!A1", "Week!A2"]) activity.resolve(cell);
    expect(activity.groups()).toEqual([]);
  });
});
