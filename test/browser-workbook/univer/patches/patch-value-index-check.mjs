/**
 * Compares the patched, faster index of values with the engine's own. It runs in its own process, because the grid's modules
 * do not load in the tests' process. If they differ, it exits with 1 and the reason.
 */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import * as engine from "@univerjs/preset-sheets-core";
import fc from "fast-check";
import { patchValueIndex } from "../../../../src/browser-workbook/univer/patches/patch-value-index.ts";

const newIndex = () => new engine.CELL_INVERTED_INDEX_CACHE.constructor();
const row = fc.integer({ min: 0, max: 6 });
const column = fc.integer({ min: 0, max: 1 });
const value = fc.constantFrom(0, 1, 2, "1", "a", "A", "", null, true, "#N/A");
const act = fc.oneof(
  fc.record({ kind: fc.constant("set"), column, row, value, isForced: fc.boolean() }),
  fc.record({ kind: fc.constant("built"), column, from: row, to: row }),
  fc.record({ kind: fc.constant("clear") }),
);

fc.assert(
  fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
    const [plain, quick] = [newIndex(), newIndex()];
    patchValueIndex(quick);
    for (const one of acts) for (const index of [plain, quick]) apply(index, one);
    deepStrictEqual(contents(quick), contents(plain));
  }),
  { numRuns: 500 },
);

const index = newIndex();
patchValueIndex(index);
let searches = 0;
index.set("book", "sheet", 0, -1, 0, true);
const values = index.getCellValuePositions("book", "sheet", 0);
values[Symbol.iterator] = function* () {
  searches += 1;
  yield* Map.prototype[Symbol.iterator].call(values);
};
for (let number = 1; number < 1_000; number += 1) index.set("book", "sheet", 0, number, number, true);
strictEqual(searches, 0);
index.set("book", "sheet", 0, 5, 7, true);
ok(searches > 0 && !values.get(7).has(7) && values.get(5).has(7));

// The engine compares a single cell directly, and many cells through the index.
index.setContinueBuildingCache("book", "sheet", 0, 0, 999);
deepStrictEqual(index.canUseCache("book", "sheet", 0, 3, 3).rowsInCache, []);
deepStrictEqual(index.canUseCache("book", "sheet", 0, 3, 4).rowsInCache, [[3, 4]]);

function apply(index, one) {
  if (one.kind === "clear") index.clear();
  else if (one.kind === "set") index.set("book", "sheet", one.column, one.value, one.row, one.isForced);
  else {
    const [from, to] = [Math.min(one.from, one.to), Math.max(one.from, one.to)];
    index.setContinueBuildingCache("book", "sheet", one.column, from, to);
  }
}

function contents(index) {
  return [0, 1].map((at) => {
    const values = index.getCellValuePositions("book", "sheet", at) ?? new Map();
    return [...values].map(([key, rows]) => [key, [...rows].sort()]);
  });
}
