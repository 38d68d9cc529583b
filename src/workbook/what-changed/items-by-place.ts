/**
 * Finds which store and item a place shows, by the register's record of what its formula requested. A formula makes its queries
 * row by row, and none for blank lines. If queries can't be assigned to places, only what all of them have in common is known.
 */
import { queriesOf } from "../../cells/cell-record";
import type { InvCell } from "../../cells/cell-register";
import { isHistory, queryKey } from "../../domain/query-keys";
import type { Query } from "../../domain/records";
import type { CellContent } from "../port";

export interface PlaceItem {
  readonly store: string;
  readonly item: string;
}

/**
 * Returns which item a place requests, by the place's number in the result, row by row. A formula with several calls requests
 * all places for the first call, then all for the next.
 * @param filled what the formula fills now, row by row; @param isPlaceByPlace each place shows its own query
 */
export function itemsByPlace(
  invCell: InvCell | undefined,
  { filled, isPlaceByPlace }: { readonly filled: readonly CellContent[]; readonly isPlaceByPlace: boolean },
): (place: number) => PlaceItem {
  const queries = invCell === undefined ? [] : queriesOf(invCell);
  if (isPlaceByPlace && isMultiple(queries.length, filled.length)) {
    return (place) => commonOf(everyNth(queries, place, filled.length));
  }
  const asking = filled.flatMap((content, place) => (content === null || content === "" ? [] : [place]));
  if (isPlaceByPlace && isMultiple(queries.length, asking.length)) {
    const orders = new Map(asking.map((place, order) => [place, order]));
    return (place) => commonOf(everyNth(queries, orders.get(place) ?? Infinity, asking.length));
  }
  const common = commonOf(queries);
  return () => common;
}

/** Returns whether two recalculations of a cell made the same queries, in the same order. */
export function haveSameQueries(before: Pick<InvCell, "queries">, now: Pick<InvCell, "queries">): boolean {
  const [one, other] = [queriesOf(before), queriesOf(now)];
  if (one.length === 0 || other.length === 0) return true;
  return one.length === other.length && one.every((query, index) => isSame(query, other[index]));
}

function isSame(one: Query, other: Query | undefined): boolean {
  return other !== undefined && queryKey(one) === queryKey(other);
}

function isMultiple(count: number, of: number): boolean {
  return count > 0 && count % of === 0;
}

function everyNth(queries: readonly Query[], first: number, n: number): readonly Query[] {
  const found: Query[] = [];
  for (let at = first; at < queries.length; at += n) found.push(...queries.slice(at, at + 1));
  return found;
}

/** Returns what all these queries have in common; "" if they differ. */
function commonOf(queries: readonly Query[]): PlaceItem {
  return {
    store: sameIn(queries, ({ storeNumber }) => String(storeNumber)),
    item: sameIn(queries, (query) => (isHistory(query) ? query.gtin : query.value)),
  };
}

function sameIn(queries: readonly Query[], read: (query: Query) => string): string {
  const [first] = queries;
  if (first === undefined) return "";
  const text = read(first);
  return queries.every((query) => read(query) === text) ? text : "";
}
