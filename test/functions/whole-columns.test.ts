/** Whole columns and rows: their empty ends are cut before the rest is read, and the remaining cells are the same. */
import { isInvError } from "../../src/domain/errors";
import { layOutArguments, RangePlaces, SinglePlace } from "../../src/functions/queries";
import { fakeContext } from "./fakes";

const allRows = 70_000;

/** A column with these values at its top. What Excel passes for an empty cell differs by version. */
function column(top: readonly unknown[], empty: unknown = "", rows = allRows): unknown[][] {
  return Array.from({ length: rows }, (_, row) => [row < top.length ? top[row] : empty]);
}

/** Returns the arguments at each row of the result, or the message about wrong shapes. */
function laidOut(given: Record<string, unknown>): unknown[][] | string {
  const names = Object.keys(given);
  const places = layOutArguments(given, fakeContext());
  if (isInvError(places)) return places.message;
  if (places instanceof SinglePlace) return [names.map((name) => places.raw(name))];
  return Array.from({ length: places.shape.rows }, (_, row) => {
    places.row = row;
    return names.map((name) => places.raw(name));
  });
}

function shapeOf(given: Record<string, unknown>): unknown {
  const places = layOutArguments(given, fakeContext());
  return places instanceof RangePlaces ? places.shape : null;
}

test.each([[""], [0], [null]])("are cut after the last row that any of them fills; empty is %p", (empty) => {
  expect(laidOut({ store: column([7, "", 9], empty), item: column([1, 2], empty), area: "STORE" })).toEqual([
    [7, 1, "STORE"],
    ["", 2, "STORE"],
    [9, empty, "STORE"],
  ]);
});

test.each([
  ["blank texts", column([1234, "  ", "\u00a0"])],
  ["nothing", column([])],
])("that end with %s have one row", (_, store) => {
  expect(laidOut({ store, item: "x" })).toHaveLength(1);
});

test("leave shorter ranges as they are", () => {
  expect(laidOut({ store: column([]), item: column([1], "", 3) })).toHaveLength(3);
  expect(laidOut({ store: column([1, 2]), item: column([1], "", 3) })).toMatch(
    /^store is 2 x 1 but item is 3 x 1/,
  );
});

test("whole rows are cut in the same way", () => {
  const row = [Array.from({ length: 16_384 }, (_, col) => (col < 2 ? col + 1 : ""))];
  expect(shapeOf({ store: 1, item: row })).toEqual({ rows: 1, cols: 2 });
});

test("are cut before anything else reads them", () => {
  const rows = Object.assign(column([1234, 5678]), {
    flat: () => {
      throw new Error("All rows were read.");
    },
  });
  expect(shapeOf({ store: rows, item: 1 })).toEqual({ rows: 2, cols: 1 });
});
