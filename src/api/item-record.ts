/**
 * From an item on the wire to INV's item record, in one pass and without a schema library: this runs for
 * every item of every answer. It refuses exactly what `itemSchema` refuses; a property test holds the two
 * equal.
 * Invariant: a record that comes out holds right numbers only; two differing quantities for one area and
 * state come out as null, and the same one said twice counts once (a sum over areas must not double).
 */
import {
  type CidRecord,
  type ItemRecord,
  locationAreas,
  type LocationRecord,
  states,
} from "../domain/records";
import {
  gtinText,
  identifierText,
  isIdentifier,
  readQuantity,
  plainJson,
  plainText,
  readUtcMs,
} from "./values";

type Fields = Record<string, unknown>;

/** One text for all records (parsers share only short ones), and nothing in it to clean. */
const documentedTexts: ReadonlyMap<string, string> = new Map(
  [...locationAreas, ...states].map((text) => [text, text]),
);
const noLocations: readonly LocationRecord[] = [];
const noCids = (): readonly CidRecord[] => [];

export type WireItem =
  | { readonly kind: "record"; readonly record: ItemRecord }
  | { readonly kind: "refused"; readonly reason: unknown };

/**
 * What the item says, or null where it cannot be trusted. `asked` is the identifier it was asked for by: the
 * record holds that text rather than the answer's own copy of it.
 */
export function readWireItem(item: unknown, asked: string): WireItem | null {
  if (!isFields(item) || !isIdentifier(item.gtin) || !isIdentifier(item.wm_item_number)) return null;
  if (item.data_retrieval_status === "ERROR") return { kind: "refused", reason: item.reason };
  if (item.data_retrieval_status !== "SUCCESS") return null;
  const locations = readLocations(item.inventory_locations);
  const cids = cidsOf(item.cid_level_inventories);
  if (locations === null || cids === null) return null;
  const record = {
    gtin: item.gtin === asked ? asked : plainText(gtinText(item.gtin)) || null,
    itemNumber:
      item.wm_item_number === asked ? asked : plainText(identifierText(item.wm_item_number)) || null,
    locations,
    cids,
    lastUpdatedMs: readUtcMs(item.last_updated_time),
  };
  return { kind: "record", record };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readLocations(value: unknown): readonly LocationRecord[] | null {
  if (value === undefined || value === null) return noLocations;
  const records = readList(value, readLocation);
  return records === null || !hasRepeats(records) ? records : withoutRepeats(records);
}

/** All entries or nothing, in an array as long as it must be: one that grows by pushing keeps room for 17. */
function readList<T>(value: unknown, read: (entry: unknown) => T | null): readonly T[] | null {
  if (!Array.isArray(value)) return null;
  const records = new Array<T>(value.length);
  for (let index = 0; index < value.length; index++) {
    const record = read(value[index]);
    if (record === null) return null;
    records[index] = record;
  }
  return records;
}

function readLocation(entry: unknown): LocationRecord | null {
  if (!isFields(entry)) return null;
  const { location_area: locationArea, state } = entry;
  if (typeof locationArea !== "string" || typeof state !== "string") return null;
  const quantity = readQuantity(entry.quantity);
  if (quantity === null) return null;
  return { locationArea: placeText(locationArea), state: placeText(state), quantity };
}

function placeText(text: string): string {
  return documentedTexts.get(text) ?? plainText(text);
}

function hasRepeats(records: readonly LocationRecord[]): boolean {
  for (let later = 1; later < records.length; later++) {
    for (let earlier = 0; earlier < later; earlier++) {
      if (isSamePlace(records[earlier], records[later])) return true;
    }
  }
  return false;
}

function withoutRepeats(records: readonly LocationRecord[]): readonly LocationRecord[] {
  const kept: LocationRecord[] = [];
  for (const record of records) {
    const at = kept.findIndex((known) => isSamePlace(known, record));
    if (at < 0) kept.push(record);
    else if (kept[at]?.quantity !== record.quantity) kept[at] = { ...record, quantity: null };
  }
  return kept;
}

function isSamePlace(left: LocationRecord | undefined, right: LocationRecord | undefined): boolean {
  return left?.locationArea === right?.locationArea && left?.state === right?.state;
}

/** The shape is looked at now, since a record that cannot be read is refused whole; texts are made when asked for. */
function cidsOf(value: unknown): ItemRecord["cids"] | null {
  if (value === undefined || value === null) return noCids;
  if (!Array.isArray(value)) return null;
  if (value.length === 0) return noCids;
  return value.every(isCidRecord) ? readerOf(value) : null;
}

/** Apart, so that what it makes keeps hold of the list and of nothing else of the answer. */
function readerOf(sent: readonly SentCid[]): ItemRecord["cids"] {
  return () =>
    sent.map(({ cid, cross_references: references }) => ({
      cid: Number(cid),
      crossReferences: references?.map(readReference) ?? [],
    }));
}

interface SentCid {
  readonly cid: number | string;
  readonly cross_references?: readonly unknown[] | null;
}

function isCidRecord(entry: unknown): entry is SentCid {
  if (!isFields(entry) || !isCid(entry.cid)) return false;
  const { cross_references: references } = entry;
  return references === undefined || references === null || Array.isArray(references);
}

/** The shape of a cross reference is not documented: numbers as they are, the rest as text. */
function readReference(value: unknown): string | number {
  return Number.isFinite(value) ? (value as number) : plainJson(value);
}

function isCid(value: unknown): boolean {
  return typeof value === "string" ? /^\d{1,15}$/.test(value) : Number.isSafeInteger(value);
}
