/**
 * From the bytes of a search answer to one record per requested item, and back. Records are cut out of the text
 * as they stand, never written anew: a number keeps each of its digits. Which record belongs to which item,
 * and whether it can be read at all, is what the add-in's own reader says.
 * Invariant: all requested items, each with exactly one record that names it and nothing left over, or nothing.
 */
import { createIdentifierIndex, sameIdentifier } from "../../api/identifiers";
import { isFields, readWireItem } from "../../api/item-record";
import { elementsOf } from "./json-elements";
import type { Envelope } from "./known-items";
import type { SearchQuery } from "./search-query";

export interface SearchRecords {
  readonly envelope: Envelope;
  /** In the order of the query's values; a character for each byte. */
  readonly records: readonly string[];
}

/** Null when the answer is not complete and faultless for this query. */
export function readSearchRecords(body: Buffer, query: SearchQuery): SearchRecords | null {
  const answer = parsed(body);
  if (!isFields(answer) || !Array.isArray(answer.items)) return null;
  if (!sameIdentifier(answer.store_nbr, query.storeNumber)) return null;
  const items: readonly unknown[] = answer.items;
  if (items.length !== query.values.length) return null;
  const text = body.toString("latin1");
  const elements = elementsOf(text, "items");
  if (elements === null || elements.spans.length !== items.length) return null;

  const index = createIdentifierIndex(query.values);
  const records: (string | undefined)[] = query.values.map(() => undefined);
  for (const [position, item] of items.entries()) {
    const at = isFields(item) ? index.find(item[query.itemType]) : -1;
    const span = elements.spans[position];
    if (at < 0 || records[at] !== undefined || span === undefined) return null;
    if (readWireItem(item, query.values[at] ?? "") === null) return null;
    records[at] = ownText(body, span);
  }
  const envelope = {
    head: ownText(body, { start: 0, end: elements.start }),
    tail: ownText(body, { start: elements.end, end: body.length }),
  };
  return { envelope, records: records.filter((record) => record !== undefined) };
}

/** The answer that holds these records, in this order. */
export function writeAnswer({ envelope, records }: SearchRecords): Buffer {
  return Buffer.from(envelope.head + records.join(",") + envelope.tail, "latin1");
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Text of its own: a part cut from the answer's text would keep all of that alive as long as itself. */
function ownText(body: Buffer, span: { readonly start: number; readonly end: number }): string {
  return body.toString("latin1", span.start, span.end);
}
