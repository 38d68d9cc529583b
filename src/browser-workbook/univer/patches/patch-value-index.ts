/**
 * `CELL_INVERTED_INDEX_CACHE.set`, `clear` and `canUseCache`. The grid's engine keeps, through a calculation, an index of each column's values for its look-up functions. At every
 * formula it calculates, it looks through all values of the column for one that the row had before: for 10,000
 * different numbers that was a third of the calculation (measured: 2.3 s of 6.6 s). A row that was not indexed in this
 * calculation had none, so there the search is left out.
 * And where a formula compares one cell, the index is not asked: it says that 0 equals "" and that an error equals nothing,
 * the engine without it otherwise, so that a formula would show the one or the other by what was calculated before it.
 * Invariant: the index holds what it would have held without this.
 */
import type { CELL_INVERTED_INDEX_CACHE } from "@univerjs/preset-sheets-core";
import { replaceMember } from "./replace-member";

const of = "CELL_INVERTED_INDEX_CACHE";

type ValueIndex = typeof CELL_INVERTED_INDEX_CACHE;

export function patchValueIndex(index: ValueIndex): void {
  const { set } = index;
  const indexed = new Map<string, Set<number>>();
  // Adds without the search; whether the row's part of the column is built already does not matter to it either.
  const adding = Object.create(index, { shouldContinueBuildingCache: { value: () => true } }) as ValueIndex;

  replaceMember(index, { of, member: "set" }, () => (...given) => {
    const [unitId, sheetId, column, value, row, isForceUpdate = false] = given;
    const key = `${unitId}\n${sheetId}\n${column}`;
    const rows = indexed.get(key) ?? new Set();
    const isNew = !rows.has(row);
    indexed.set(key, rows.add(row));
    if (isForceUpdate && isNew) set.call(adding, unitId, sheetId, column, value, row);
    else set.apply(index, given);
  });
  replaceMember(index, { of, member: "canUseCache" }, (canUseCache) => (...given) => {
    const [, , , from, to] = given;
    return from === to ? { rowsInCache: [], rowsNotInCache: [] } : canUseCache(...given);
  });
  replaceMember(index, { of, member: "clear" }, (clear) => () => {
    indexed.clear();
    clear();
  });
}
