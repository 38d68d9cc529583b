/**
 * Calls and answers of the inventory lookup, as far as they can be shared. A call is read if it asks for a store, an item
 * type, and different values; any other body (an additional field, a repeated value, a number as text) goes to the service
 * unchanged. An answer is split into one JSON record per requested item. The add-in's own reader decides which record
 * belongs to which item and whether it is readable. An answer is parsed once, when the first colleague wants a part of
 * it: usually nobody does, and parsing takes longer than forwarding.
 */
import { readWireItem } from "../../api/item-record";
import type { SearchQuery } from "../../api/search-items";
import { createIdentifierIndex, sameIdentifier } from "../../api/values";
import { isFields, isTooDeep, parsedJson } from "../../domain/json";

/** Exactly what INV's pages write, so that a body has only one meaning: no repeated name, no other spelling of numbers. */
const pattern =
  /^\{"item_type":"(gtin|wm_item_number)","store_nbr":([1-9]\d{1,5}),"item_type_values":(\["\d{1,14}"(?:,"\d{1,14}"){0,99}\])\}$/;
/** The longest body that matches, in bytes. */
const longest = 80 + 100 * 17;

/** Null when the call can't be shared. */
export function readSearchQuery(body: Buffer): SearchQuery | null {
  if (body.length > longest) return null;
  const [, itemType, storeNumber, list = "[]"] = pattern.exec(body.toString("latin1")) ?? [];
  const values = JSON.parse(list) as string[];
  if (values.length === 0 || new Set(values).size < values.length) return null;
  return { itemType: itemType as SearchQuery["itemType"], storeNumber: Number(storeNumber), values };
}

/** Returns the body of a call for this query. */
export function writeSearch({ itemType, storeNumber, values }: SearchQuery): Buffer {
  return Buffer.from(
    JSON.stringify({ item_type: itemType, store_nbr: storeNumber, item_type_values: values }),
  );
}

export interface SearchRecords {
  /** The answer without its items, as JSON. */
  readonly around: string;
  /** Each item's record as JSON, by requested value. */
  readonly byValue: ReadonlyMap<string, string>;
}

/** Records that were read before. A body always belongs to the same query. */
const alreadyRead = new WeakMap<Buffer, { readonly records: SearchRecords | null }>();

/** Null unless the answer has exactly one record for each requested item, and no others. */
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
  if (isTooDeep(around)) return null;
  if (!Array.isArray(items) || items.length !== query.values.length) return null;

  const index = createIdentifierIndex(query.values);
  const records = new Map<string, string>();
  for (const item of items as readonly unknown[]) {
    const value = query.values[isFields(item) ? index.find(item[query.itemType]) : -1];
    if (value === undefined || records.has(value)) return null;
    if (readWireItem(item, value).kind === "unreadable") return null;
    records.set(value, JSON.stringify(item));
  }
  return { around: JSON.stringify(around), byValue: records };
}
