/** Whether two blocks of cells have the same content, as far as Excel can tell. */
import { digest } from "../../../src/workbook/frozen-formulas/digest";

const one = (content: Parameters<typeof digest>[0][number][number]) => digest([[content]]);

it("compares numbers to 15 digits, as Excel does", () => {
  expect(one(0.1 + 0.2)).toBe(one(0.3));
  expect(one(123_456_789_012_345)).not.toBe(one(123_456_789_012_346));
});

it("distinguishes kinds, but not an empty text from an empty cell", () => {
  const kinds = [1, "1", true, "true", { error: "#N/A" }, "#N/A", null].map(one);
  expect(new Set(kinds).size).toBe(kinds.length);
  expect(one("")).toBe(one(null));
});

it("distinguishes places of a value in the block", () => {
  expect(digest([[1, 2]])).not.toBe(digest([[1], [2]]));
  expect(digest([[1, null]])).not.toBe(digest([[null, 1]]));
});
