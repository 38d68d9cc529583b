/**
 * From the bytes of a search answer to one record per requested item, and back. Records are parts of those bytes
 * as they stand, never written anew: a number keeps each of its digits. Which record belongs to which item,
 * and whether it can be read at all, is what the add-in's own reader says.
 * Invariant: all requested items, each with exactly one record that names it and nothing left over, or nothing.
 */
import { createIdentifierIndex, sameIdentifier } from "../../api/identifiers";
import { isFields, readWireItem } from "../../api/item-record";
import { elementsOf, type Span } from "./json-elements";
import type { SearchQuery } from "./search-query";

export interface SearchRecords {
  readonly body: Buffer;
  /** What stands between the brackets of the list of items. */
  readonly list: Span;
  /** Each item's record, by the value it was asked for by. */
  readonly of: ReadonlyMap<string, Span>;
}

/** Null when the answer is not complete and faultless for this query. */
export function readSearchRecords(body: Buffer, query: SearchQuery): SearchRecords | null {
  const answer = parsed(body);
  if (!isFields(answer) || !Array.isArray(answer.items)) return null;
  if (!sameIdentifier(answer.store_nbr, query.storeNumber)) return null;
  const items: readonly unknown[] = answer.items;
  if (items.length !== query.values.length) return null;
  const list = elementsOf(body.toString("latin1"), "items");
  if (list === null || list.spans.length !== items.length) return null;

  const index = createIdentifierIndex(query.values);
  const records = new Map<string, Span>();
  for (const [position, item] of items.entries()) {
    const at = isFields(item) ? index.find(item[query.itemType]) : -1;
    const value = query.values[at];
    const span = list.spans[position];
    if (value === undefined || records.has(value) || span === undefined) return null;
    if (readWireItem(item, value) === null) return null;
    records.set(value, span);
  }
  return { body, list: { start: list.start, end: list.end }, of: records };
}

/** An answer of these records, in this order, with what another answer says around its own. */
export function writeAnswer({ body, list }: SearchRecords, records: readonly Buffer[]): Buffer {
  const listed = records.flatMap((record, place) => (place === 0 ? [record] : [comma, record]));
  return Buffer.concat([body.subarray(0, list.start), ...listed, body.subarray(list.end)]);
}

const comma = Buffer.from(",");

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
