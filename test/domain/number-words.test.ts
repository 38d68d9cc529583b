/** Numbers in words, and sentences that contain them. */
import { count, counted, grouped } from "../../src/domain/number-words";
import { changesInShort } from "../../src/taskpane/refresh/change-words";
import { targetOf } from "../../src/workbook/insert/insert";

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
  const write = jest.spyOn(Number.prototype, "toLocaleString").mockReturnValue(sample);
  expect(grouped(value)).toBe(shown);
  write.mockRestore();
});

test("sentences about limits have the separators of a German system", () => {
  const write = jest.spyOn(Number.prototype, "toLocaleString").mockReturnValue("1.234.567,8");
  const report = { atMs: 0, changed: [], added: [], notCompared: 0, isTooLarge: true };
  expect(changesInShort(report, 0, null)).toContain("More than 200.000 values");
  const column = { sheet: "Plan", row: 0, col: 2, rows: 25_000, cols: 1 };
  expect(targetOf({ selection: [column], list: null, isPerRow: true, fillDown: true })).toBe(
    "You selected 25.000 rows; a formula fills at most 20.000. Select fewer.",
  );
  write.mockRestore();
});
