/** What leaves the functions fits into the messages that Excel takes: texts, formats and sizes. */
import { InvError } from "../../src/domain/errors";
import { fitting, present, presentOne, timeFromMs, type Shown } from "../../src/functions/present";
import { isRefusal, refusalOf } from "../../src/functions/values";
import { fakeSession, type HostError, nowMs, withHost } from "./fakes";

withHost();

const refusal = (message: string) => refusalOf(new InvError("bad-argument", message));
const grid = (rows: number, cols: number, value: (row: number, col: number) => Shown): Shown[][] =>
  Array.from({ length: rows }, (_, row) => Array.from({ length: cols }, (_unused, col) => value(row, col)));

function thrown(work: () => unknown): HostError {
  try {
    work();
  } catch (error) {
    return error as HostError;
  }
  throw new Error("Nothing was thrown.");
}

describe("texts of errors", () => {
  it("go with the first 200 at once, within a matrix and for single cells, and again after a while", () => {
    let atMs = nowMs;
    const session = { ...fakeSession(), now: () => atMs };
    const matrix = present(
      grid(150, 1, (row) => refusal(`reason ${row}`)),
      session,
    ).flat() as HostError[];
    expect(matrix.map(({ message }) => message).filter(Boolean)).toHaveLength(150);
    const singles = () =>
      Array.from({ length: 100 }, () => thrown(() => present([[refusal("reason")]], session)));
    expect(singles().filter(({ message }) => message !== "")).toHaveLength(50);
    expect(singles().every(({ code, message }) => code === "#VALUE!" && message === "")).toBe(true);
    atMs += 10_000;
    expect(singles().filter(({ message }) => message !== "")).toHaveLength(100);
  });

  it("are few too where no session could be opened", () => {
    const all = Array.from({ length: 1_000 }, () => thrown(() => presentOne(refusal("not loaded"), null)));
    expect(all.filter(({ message }) => message !== "")).toHaveLength(200);
  });
});

describe("times", () => {
  const serial = timeFromMs(nowMs).serial;
  const date = { type: "Double", basicType: "Double", basicValue: serial, numberFormat: "yyyy-mm-dd hh:mm" };

  it("bring their format where the host takes it, and are plain serials elsewhere", () => {
    const shown: Shown[][] = [[timeFromMs(nowMs), 7, "", "x"]];
    expect(present(shown, { ...fakeSession(), formatsTimes: true })).toEqual([[date, 7, "", "x"]]);
    expect(present(shown, fakeSession())).toEqual([[serial, 7, "", "x"]]);
    expect(present([[timeFromMs(nowMs)]], { ...fakeSession(), formatsTimes: true })).toEqual([[date]]);
  });

  it.each([
    [5_000, "object"],
    [5_001, "number"],
  ])("%i of a formula are all shown as %s", (count, kind) => {
    const session = { ...fakeSession(), formatsTimes: true };
    const cells = present(
      grid(count, 1, () => timeFromMs(nowMs)),
      session,
    ).flat();
    expect(new Set(cells.map((cell) => typeof cell))).toEqual(new Set([kind]));
  });

  it("of many formulas at once bring it as long as all of them fit into one message", () => {
    const session = { ...fakeSession(), formatsTimes: true };
    const all = Array.from({ length: 40_000 }, () => present([[timeFromMs(nowMs)]], session));
    const bytes = JSON.stringify(all).length;
    expect(typeof all[0]?.[0]?.[0]).toBe("object");
    expect(bytes).toBeLessThan(4_000_000);
  });
});

describe("a result", () => {
  const bytesOf = (shown: Shown[][]) => JSON.stringify(present(shown, fakeSession())).length;

  it.each([
    ["500,000 quantities", grid(500_000, 1, (row) => row % 1000)],
    ["100,000 statuses", grid(1_000, 100, () => "SUCCESS")],
  ])("of %s goes as it is, within the size that Excel takes", (_title, shown) => {
    expect(fitting(shown)).toBe(shown);
    expect(bytesOf(shown)).toBeLessThan(5_000_000);
  });

  it("that is too large is refused in words that say how to split it", () => {
    const refused = fitting(grid(1_000, 50, (row, col) => refusal(`reason ${row} ${col}`)));
    expect(isRefusal(refused) && refused.error.message).toMatch(
      /1000 x 50 cells is some 7\.0 MB.*at most about 457 rows/,
    );
    expect(fitting(grid(457, 50, (row, col) => refusal(`reason ${row} ${col}`)))).toHaveLength(457);
    const wide = fitting(grid(2, 30_000, () => "x".repeat(100)));
    expect(isRefusal(wide) && wide.error.message).toContain("columns each");
  });

  it("that is too large for one reason only is refused with that reason", () => {
    const reason = refusal("Not connected.");
    expect(fitting(grid(1_000, 50, (row) => (row === 3 ? "" : reason)))).toBe(reason);
  });
});
