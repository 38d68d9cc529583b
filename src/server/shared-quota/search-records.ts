/**
 * From a search answer to one record per requested item, and back. A record is JSON of its own, looked into no further:
 * which belongs to which item, and whether it can be read at all, is what the add-in's own reader says. An answer is read
 * when the first colleague wants something of it, and once: of most answers nobody does, and reading costs more than
 * passing on.
 * Invariant: all requested items, each with exactly one record that names it and nothing left over, or nothing.
 */
import { createIdentifierIndex, sameIdentifier } from "../../api/values";
import { readWireItem } from "../../api/item-record";
import type { SearchQuery } from "../../api/search-items";
import { isFields, parsedJson } from "../../domain/json";

export interface SearchRecords {
  /** What the answer says beside its items, as JSON. */
  readonly around: string;
  /** Each item's record as JSON, by the value it was asked for by. */
  readonly of: ReadonlyMap<string, string>;
}

/** By the answer's body, which belongs to one query. */
const alreadyRead = new WeakMap<Buffer, { readonly records: SearchRecords | null }>();

/** Null when the answer is not complete and faultless for this query. */
export function readSearchRecords(body: Buffer, query: SearchQuery): SearchRecords | null {
  const before = alreadyRead.get(body);
  if (before !== undefined) return before.records;
  const records = read(body, query);
  alreadyRead.set(body, { records });
  return records;
}

/** An answer of these records, in this order, with what another answer says around its own. */
export function writeAnswer(around: SearchRecords["around"], records: readonly string[]): Buffer {
  // It is never empty: the store's number is among it.
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
