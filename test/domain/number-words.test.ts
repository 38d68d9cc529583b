/** Numbers in words, and sentences that contain them. */
import { count, counted, formatted, grouped } from "../../src/domain/number-words";
import { readTemplateText } from "../../src/domain/templates/read-template";
import { commonShape } from "../../src/functions/grid";
import { tooLargeRefusal } from "../../src/functions/present";
import { changesInShort } from "../../src/taskpane/refresh/change-words";

afterEach(() => jest.restoreAllMocks());

test.each([
  [0, "0 cells"],
  [1, "1 cell"],
  [10_000, "10,000 cells"],
])("count %i", (value, expected) => expect(counted(value, "cell")).toBe(expected));

test("group thousands", () => expect(count(1_234_567)).toBe("1,234,567"));

test.each([
  ["1,234,567.8", 12_345.5, "12,345.5"],
  ["1.234.567,8", 12_345.5, "12.345,5"],
  ["1.234.567,8", -1_234, "-1.234"],
  ["1’234’567.8", 1_000_000, "1’000’000"],
  ["1.234.567,8", 999, "999"],
  ["1.234.567,8", 0.25, "0,25"],
])("a system that writes %s shows %d as %s", (sample, value, shown) => {
  jest.spyOn(Number.prototype, "toLocaleString").mockReturnValue(sample);
  expect(grouped(value)).toBe(shown);
});

test.each([
  ["#,##0", 12_345.6, "12.346"],
  ["0.00", 12_345.6, "12345,60"],
  ["#,##0.0", 7, "7,0"],
  ["General", 12_345.6, "12.345,6"],
  ['0 "kg"', 12_345.6, "12.345,6"],
])("a cell of the format %s shows %d as %s in a German system", (numberFormat, value, shown) => {
  jest.spyOn(Number.prototype, "toLocaleString").mockReturnValue("1.234.567,8");
  expect(formatted(value, numberFormat)).toBe(shown);
});

test("sentences about limits have the separators of a German system", () => {
  jest.spyOn(Number.prototype, "toLocaleString").mockReturnValue("1.234.567,8");
  const report = { atMs: 0, changed: [], added: [], movedSheets: [], isTooLarge: true };
  expect(changesInShort(report, 0, null)).toContain("More than 200.000 values");
  const grid = (rows: number, cols: number) => ({ rows, cols, cells: [] });
  expect(commonShape({ store: grid(1_000, 1), item: grid(1, 2_000) })).toMatchObject({
    message: expect.stringContaining("makes 1.000 x 2.000 values, expected at most 500.000") as string,
  });
  const wrong = commonShape({ store: grid(1_000, 1), item: grid(1_500, 1) });
  expect(wrong).toMatchObject({ message: expect.stringContaining("store is 1.000 x 1") as string });
  const large = tooLargeRefusal(
    Array.from({ length: 2_000 }, () => Array.from({ length: 20 }, (_, col) => col)),
    4_123_456,
  );
  expect(large).toMatchObject({
    error: {
      message: expect.stringMatching(
        /^The result of 2\.000 x 20 cells is about 4,1 MB, .* at most 3,8 MB .* at most about 1\.474 rows/,
      ) as string,
    },
  });
  const long = readTemplateText("x".repeat(256_001));
  expect(long.faults).toEqual(["The template is longer than 256.000 characters."]);
});
