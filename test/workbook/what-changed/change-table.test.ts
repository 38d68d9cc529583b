/** Changes as a table: times as text, and cells of one item together. */
import { shownAs, writeChangeSheet } from "../../../src/workbook/what-changed/change-table";
import { byItem, type CellChange } from "../../../src/workbook/what-changed/report";
import { createMemoryWorkbook } from "../memory-workbook";

const change = (given: Partial<CellChange>): CellChange => ({
  ...{ sheet: "Plan", row: 1, col: 2, store: "1234", item: "00012345678905", isTime: false },
  ...{ before: 1, after: 2, difference: 1 },
  ...given,
});

it("writes the list as values: items keep their zeros, and no text becomes a formula", async () => {
  const workbook = createMemoryWorkbook(["Plan"]);
  const sheet = await writeChangeSheet(workbook, [change({ before: "=A1", after: { error: "#N/A" } })], 0);
  expect(await workbook.read({ sheet, row: 0, col: 0, rows: 2, cols: 6 }, "formulas")).toEqual([
    ["Cell", "Store", "Item", "Before", "After", "Difference"],
    ["Plan!C2", 1234, "00012345678905", "=A1", "#N/A", 1],
  ]);
  expect(await workbook.findFormulas(() => true)).toEqual([]);
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
