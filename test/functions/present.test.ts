/** The functions' results fit into the messages that Excel accepts: texts, formats and sizes. */
import { InvError } from "../../src/domain/errors";
import { bytesOf, present, tooLargeRefusal, timeFromMs, type CellResult } from "../../src/functions/present";
import { isRefusal, refusalOf } from "../../src/functions/argument-values";
import { fakeContext, type HostError, nowMs, withHost } from "./fakes";

const refusalOfSize = (shown: CellResult[][]) => tooLargeRefusal(shown, bytesOf(shown));

withHost();

const refusal = (message: string) => refusalOf(new InvError("bad-argument", message));
const grid = (rows: number, cols: number, value: (row: number, col: number) => CellResult): CellResult[][] =>
  Array.from({ length: rows }, (_, row) => Array.from({ length: cols }, (_unused, col) => value(row, col)));

/** Bytes in the message to Excel. */
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

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
    let atMs = 0;
    const context = { ...fakeContext(), steadyNow: () => atMs };
    const matrix = present(
      grid(150, 1, (row) => refusal(`reason ${row}`)),
      context,
    ).flat() as HostError[];
    expect(matrix.map(({ message }) => message).filter(Boolean)).toHaveLength(150);
    const singles = () =>
      Array.from({ length: 100 }, () => thrown(() => present([[refusal("reason")]], context)));
    expect(singles().filter(({ message }) => message !== "")).toHaveLength(50);
    expect(singles().every(({ code, message }) => code === "#VALUE!" && message === "")).toBe(true);
    atMs += 9_999;
    expect(singles().every(({ message }) => message === "")).toBe(true);
    atMs += 1;
    expect(singles().filter(({ message }) => message !== "")).toHaveLength(100);
  });
});

describe("times", () => {
  const serial = timeFromMs(nowMs).serial;
  const date = { type: "Double", basicType: "Double", basicValue: serial, numberFormat: "yyyy-mm-dd hh:mm" };

  it("bring their format where the host takes it, and are plain serials elsewhere", () => {
    const shown: CellResult[][] = [[timeFromMs(nowMs), 7, "", "x"]];
    expect(present(shown, { ...fakeContext(), formatsTimes: true })).toEqual([[date, 7, "", "x"]]);
    expect(present(shown, fakeContext())).toEqual([[serial, 7, "", "x"]]);
    expect(present([[timeFromMs(nowMs)]], { ...fakeContext(), formatsTimes: true })).toEqual([[date]]);
  });

  it.each([
    [5_000, "object"],
    [5_001, "number"],
  ])("%i of a formula are all shown as %s", (count, kind) => {
    const context = { ...fakeContext(), formatsTimes: true };
    const cells = present(
      grid(count, 1, () => timeFromMs(nowMs)),
      context,
    ).flat();
    expect(new Set(cells.map((cell) => typeof cell))).toEqual(new Set([kind]));
  });

  it("of many formulas at once bring it as long as all of them fit into one message, and again after a while", () => {
    let atMs = 0;
    const context = { ...fakeContext(), formatsTimes: true, steadyNow: () => atMs };
    const all = Array.from({ length: 40_000 }, () => present([[timeFromMs(nowMs)]], context));
    expect(typeof all[0]?.[0]?.[0]).toBe("object");
    expect(sizeOf(all)).toBeLessThan(3_800_000);
    atMs += 9_999;
    expect(present([[timeFromMs(nowMs)]], context)).toEqual([[serial]]);
    atMs += 1;
    expect(present([[timeFromMs(nowMs)]], context)).toEqual([[date]]);
  });
});

it.each([
  ["of the first cells, where they go in a message", false, 200],
  ["of every cell, where results stay in the page", true, 10_000],
])("errors bring their reason: that %s", (_where, takesAllTexts, told) => {
  const context = { ...fakeContext(), takesAllTexts };
  const texts = Array.from({ length: 10_000 }, () => {
    try {
      return String(present([[refusalOf(new InvError("cancelled", "Cancelled by you."))]], context));
    } catch (error) {
      return (error as Error).message;
    }
  });
  expect(texts.filter((text) => text === "Cancelled by you.")).toHaveLength(told);
});

describe("a result", () => {
  const bytesOf = (shown: CellResult[][]) => sizeOf(present(shown, fakeContext()));

  it.each([
    ["500,000 quantities", grid(500_000, 1, (row) => row % 1000)],
    ["100,000 statuses", grid(1_000, 100, () => "SUCCESS")],
  ])("of %s goes as it is, within the size that Excel takes", (_title, shown) => {
    expect(refusalOfSize(shown)).toBeNull();
    expect(bytesOf(shown)).toBeLessThan(5_000_000);
  });

  it.each<[string, CellResult]>([
    ["texts of two bytes a letter", "Ä".repeat(90)],
    ["texts of three bytes a letter", "庫".repeat(60)],
    ["texts of pairs", "🏬".repeat(45)],
    ["texts of quotes", '"'.repeat(90)],
    ["texts of control characters", "\u0001".repeat(30)],
    ["texts of halves of pairs", "\ud83c".repeat(30)],
    ["numbers of many digits", -1234567890.12345],
    ["numbers with exponents", 1.2345678e-300],
  ])("of %s is refused as soon as it is larger than the most, and not before", (_title, value) => {
    const rowBytes = JSON.stringify([value]).length - JSON.stringify(value).length + sizeOf(value) + 1;
    const most = Math.floor(3_800_000 / rowBytes);
    expect(isRefusal(refusalOfSize(grid(most, 1, () => value)))).toBe(false);
    expect(isRefusal(refusalOfSize(grid(most + 1, 1, () => value)))).toBe(true);
  });

  it("that is too large is refused in words that say how to split it", () => {
    const refused = refusalOfSize(grid(1_000, 50, (row, col) => refusal(`reason ${row} ${col}`)));
    expect(isRefusal(refused) && refused.error.message).toMatch(
      /1,000 x 50 cells is about 7 MB.*at most about 434 rows/,
    );
    expect(refusalOfSize(grid(457, 50, (row, col) => refusal(`reason ${row} ${col}`)))).toBeNull();
    const wide = refusalOfSize(grid(2, 30_000, () => "x".repeat(100)));
    expect(isRefusal(wide) && wide.error.message).toContain("columns each");
  });

  it("that is too large for one reason only is refused with that reason", () => {
    const reason = refusal("Not connected.");
    expect(refusalOfSize(grid(1_000, 50, (row) => (row === 3 ? "" : reason)))).toBe(reason);
  });
});
