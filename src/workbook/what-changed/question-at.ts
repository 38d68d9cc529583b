/**
 * Which store and item a place shows: what the formula asked for, as the register has it. A formula asks row by
 * row, and not for blank lines; where its questions cannot be told apart by place, what is the same for all of
 * them is told, and nothing else.
 */
import { isHistory, queriesOf, type Query } from "../../cells/cell-record";
import type { CellUse } from "../../cells/cell-register";
import type { CellContent } from "../port";

export interface AskedItem {
  readonly store: string;
  readonly item: string;
}

const unknown: AskedItem = { store: "", item: "" };

/** @param filled what the formula fills now, row by row; @param isPlaceByPlace each place is a question of its own */
export function questionsOf(
  use: CellUse | undefined,
  { filled, isPlaceByPlace }: { readonly filled: readonly CellContent[]; readonly isPlaceByPlace: boolean },
): (place: number) => AskedItem {
  const queries = use === undefined ? [] : queriesOf(use);
  const [only] = queries;
  if (only === undefined) return () => unknown;
  if (queries.length === 1) return () => questionOf(only);
  if (isPlaceByPlace && queries.length % filled.length === 0) {
    return (place) => askedAt(queries, place);
  }
  const asking = filled.flatMap((content, place) => (content === null || content === "" ? [] : [place]));
  if (isPlaceByPlace && asking.length === queries.length) {
    const orders = new Map(asking.map((place, order) => [place, order]));
    return (place) => askedAt(queries, orders.get(place) ?? -1);
  }
  const common = {
    store: sameIn(queries, (query) => questionOf(query).store),
    item: sameIn(queries, (query) => questionOf(query).item),
  };
  return () => common;
}

/** Whether two rounds of a cell asked for the same stores and items, in the same order. */
export function asksTheSame(before: Pick<CellUse, "asked">, now: Pick<CellUse, "asked">): boolean {
  const [one, other] = [queriesOf(before), queriesOf(now)];
  if (one.length === 0 || other.length === 0) return true;
  return one.length === other.length && one.every((query, index) => isSame(query, other[index]));
}

function isSame(one: Query, other: Query | undefined): boolean {
  return other !== undefined && one.storeNumber === other.storeNumber && itemOf(one) === itemOf(other);
}

function askedAt(queries: readonly Query[], index: number): AskedItem {
  const query = queries[index];
  return query === undefined ? unknown : questionOf(query);
}

function questionOf(query: Query): AskedItem {
  return { store: String(query.storeNumber), item: itemOf(query) };
}

function itemOf(query: Query): string {
  return isHistory(query) ? query.gtin : query.value;
}

function sameIn(queries: readonly Query[], read: (query: Query) => string): string {
  const [first] = queries;
  if (first === undefined) return "";
  const text = read(first);
  return queries.every((query) => read(query) === text) ? text : "";
}
