/** Whole columns: empty ends are cut before a cell is read, and the remaining cells are the same. */
import { layOutArguments } from "../../src/functions/queries";
import { trimEmptyEnds } from "../../src/functions/grid";

const allRows = 70_000;

/** A column with these values at its top. What Excel passes for an empty cell differs by version. */
function column(top: readonly unknown[], empty: unknown): unknown[][] {
  return Array.from({ length: allRows }, (_, row) => [row < top.length ? top[row] : empty]);
}

test.each([[""], [0], [null]])("are cut after the last row that any of them fills; empty is %p", (empty) => {
  const [stores, items, area] = trimEmptyEnds([column([1, 2], empty), column([7, "", 9], empty), "STORE"]);
  expect(stores).toEqual([[1], [2], [empty]]);
  expect(items).toEqual([[7], [""], [9]]);
  expect(area).toBe("STORE");
});

test("are all as long as the longest of them", () => {
  const [stores, items] = trimEmptyEnds([column([1, 2, 3], ""), column([7], "")]);
  expect([stores, items]).toEqual([
    [[1], [2], [3]],
    [[7], [""], [""]],
  ]);
});

test("that are empty keep one row, and shorter ranges keep all rows", () => {
  const short = [[1], [""], [""]];
  expect(trimEmptyEnds([column([], ""), short])).toEqual([[[""]], short]);
});

test("are cut before anything else reads them", () => {
  const rows = Object.assign(column([1234, 5678], ""), {
    map: () => {
      throw new Error("All rows were gone through.");
    },
  });
  expect(layOutArguments({ store: rows, item: 1 })).toEqual({ rows: 2, cols: 1 });
});

test("are cut before trailing texts of blanks, too", () => {
  expect(layOutArguments({ store: column([1234, "  ", "\u00a0"], ""), item: 1 })).toEqual({
    rows: 1,
    cols: 1,
  });
});
