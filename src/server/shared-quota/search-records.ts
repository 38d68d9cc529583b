/**
 * Splits a search answer into one JSON record per requested item, and joins records to an answer. The add-in's own reader
 * decides which record belongs to which item and whether it is readable. An answer is parsed once, when the first
 * colleague wants a part of it: usually nobody does, and parsing takes longer than forwarding.
 * Invariant: the result has exactly one record for each requested item and no others, or it is null.
 */
import { createIdentifierIndex, sameIdentifier } from "../../api/values";
import { readWireItem } from "../../api/item-record";
import type { SearchQuery } from "../../api/search-items";
import { isFields, parsedJson } from "../../domain/json";

export interface SearchRecords {
  /** The answer without its items, as JSON. */
  readonly around: string;
  /** Each item's record as JSON, by requested value. */
  readonly of: ReadonlyMap<string, string>;
}

/** By body, which always belongs to one query. */
const alreadyRead = new WeakMap<Buffer, { readonly records: SearchRecords | null }>();

/** Null unless the answer is complete and valid for this query. */
export function readSearchRecords(body: Buffer, query: SearchQuery): SearchRecords | null {
  const before = alreadyRead.get(body);
  if (before !== undefined) return before.records;
  const records = read(body, query);
  alreadyRead.set(body, { records });
  return records;
}

/** Returns an answer with these records in this order. `around` comes from one of their answers. */
export function writeAnswer(around: SearchRecords["around"], records: readonly string[]): Buffer {
  // `around` is never empty, because it contains the store number.
  return Buffer.from(`${around.slice(0, -1)},"items":[${records.join(",")}]}`);
}

function read(body: Buffer, query: SearchQuery): SearchRecords | null {
  const answer = parsedJson(body.toString("utf8"));
  if (!isFields(answer) || !sameIdentifier(answer.store_nbr, query.storeNumber)) return null;
  const { items, ...around } = answer;
  if (!Array.isArray(items) || items.length !== query.values.length) return null;

  const index = createIdentifierIndex(query.values);
  const records = new Map<string, string>();
  for (const item of items as readonly unknown[]) {
    const value = query.values[isFields(item) ? index.find(item[query.itemType]) : -1];
    if (value === undefined || records.has(value)) return null;
    if (readWireItem(item, value).kind === "unreadable") return null;
    records.set(value, JSON.stringify(item));
  }
  return { around: JSON.stringify(around), of: records };
}
