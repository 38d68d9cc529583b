/** Changes as a table for the clipboard, with times as text. */
import { fc } from "../../helpers/properties";
import { asClipboardText, shownAs } from "../../../src/workbook/what-changed/change-table";
import { byItem, type CellChange } from "../../../src/workbook/what-changed/report";

const change = (given: Partial<CellChange>): CellChange => ({
  ...{ sheet: "Plan", row: 1, col: 2, store: "1234", item: "00012345678905", isTime: false },
  ...{ before: 1, after: 2, difference: 1 },
  ...given,
});
const firstRow = (given: Partial<CellChange>, decimal = "."): readonly string[] =>
  asClipboardText([change(given)], decimal)
    .split("\r\n")[1]!
    .split("\t");

describe("the clipboard", () => {
  it.each([
    "Mar 3",
    "May 26",
    "TRUE",
    "wahr",
    "1-2",
    "=A1",
    "+1",
    "00012345678905",
    "3 of 4",
    "No data found",
  ])("keeps the text %s a text", (text) => {
    expect(firstRow({ before: text, after: "" }).slice(3, 5)).toEqual([`="${text}"`, ""]);
  });

  it("contains no text that a spreadsheet could read as anything else", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const spelt = firstRow({ before: text })[3]!;
        if (text === "") expect(spelt).toBe("");
        else expect(spelt).toMatch(/^="(?:[^"]|"")*"$/s);
      }),
    );
  });

  it("writes numbers with the person's separator, and errors and booleans as themselves", () => {
    expect(firstRow({ before: 1.5, after: { error: "#N/A" }, difference: -0.5 }, ",").slice(3)).toEqual([
      "1,5",
      "#N/A",
      "-0,5",
    ]);
    expect(firstRow({ before: true }).slice(3, 4)).toEqual(["TRUE"]);
  });
});

it.each([
  [46_350.5, "2026-11-24 12:00"],
  [2_958_465.999, "9999-12-31 23:58"],
  [2_958_466, 2_958_466],
  [1e12, 1e12],
])("shows the time %p as %p: Excel has no day after 9999-12-31", (serial, shown) => {
  expect(shownAs(serial, { isTime: true })).toBe(shown);
  expect(shownAs(serial, { isTime: false })).toBe(serial);
});

it("groups changes by store and item, the largest first, and unknown items separately", () => {
  const [a, b, c] = [change({ row: 1 }), change({ row: 2, item: "x" }), change({ row: 3 })];
  const [d, e] = [change({ row: 4, item: "" }), change({ row: 5, item: "" })];
  expect(byItem([a, b, c, d, e]).map(({ store, item, changes }) => [store, item, ...changes])).toEqual([
    ["1234", "00012345678905", a, c],
    ["1234", "x", b],
    ["1234", "", d],
    ["1234", "", e],
  ]);
});
