/**
 * From an item on the wire to INV's item record, in one pass and without a schema library: this runs for
 * every item of every answer. It refuses exactly what `itemSchema` refuses; a property test holds the two
 * equal.
 * Invariant: a record that comes out holds right numbers only; two differing quantities for one area and
 * state come out as null, and the same one said twice counts once (a sum over areas must not double).
 */
import type { CidRecord, ItemRecord, LocationRecord } from "../domain/records";
import { gtinText, identifierText } from "./identifiers";
import { readQuantity } from "./quantity";
import { readUtcMs } from "./time";

type Fields = Record<string, unknown>;

const noLocations: readonly LocationRecord[] = [];
const noCids: readonly CidRecord[] = [];

export type WireItem =
  | { readonly status: "SUCCESS"; readonly record: ItemRecord }
  | { readonly status: "ERROR"; readonly reason: unknown };

/** What the item says, or null where it cannot be trusted. */
export function readWireItem(item: unknown): WireItem | null {
  if (!isFields(item) || !isIdentifier(item.gtin) || !isIdentifier(item.wm_item_number)) return null;
  if (item.data_retrieval_status === "ERROR") return { status: "ERROR", reason: item.reason };
  if (item.data_retrieval_status !== "SUCCESS") return null;
  const locations = readLocations(item.inventory_locations);
  const cids = readCids(item.cid_level_inventories);
  if (locations === null || cids === null) return null;
  const record = {
    gtin: gtinText(item.gtin),
    itemNumber: identifierText(item.wm_item_number) || null,
    locations,
    cids,
    lastUpdatedMs: readUtcMs(item.last_updated_time),
  };
  return { status: "SUCCESS", record };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isIdentifier(value: unknown): boolean {
  return typeof value === "string" || value === undefined || value === null || Number.isSafeInteger(value);
}

function readLocations(value: unknown): readonly LocationRecord[] | null {
  if (value === undefined || value === null) return noLocations;
  if (!Array.isArray(value)) return null;
  const records: LocationRecord[] = [];
  for (const entry of value as readonly unknown[]) {
    if (!isFields(entry)) return null;
    const { location_area: locationArea, state } = entry;
    if (typeof locationArea !== "string" || typeof state !== "string") return null;
    const quantity = readQuantity(entry.quantity);
    if (quantity === null) return null;
    addLocation(records, { locationArea, state, quantity });
  }
  return records;
}

function addLocation(records: LocationRecord[], record: LocationRecord): void {
  for (let index = 0; index < records.length; index++) {
    const known = records[index];
    if (known?.locationArea !== record.locationArea || known.state !== record.state) continue;
    if (known.quantity !== record.quantity) records[index] = { ...record, quantity: null };
    return;
  }
  records.push(record);
}

function readCids(value: unknown): readonly CidRecord[] | null {
  if (value === undefined || value === null) return noCids;
  if (!Array.isArray(value)) return null;
  const records: CidRecord[] = [];
  for (const entry of value as readonly unknown[]) {
    if (!isFields(entry)) return null;
    const cid = readCid(entry.cid);
    const references = entry.cross_references ?? [];
    if (cid === null || !Array.isArray(references)) return null;
    records.push({ cid, crossReferences: references as readonly unknown[] });
  }
  return records;
}

function readCid(value: unknown): number | null {
  if (typeof value === "string") return /^\d{1,15}$/.test(value) ? Number(value) : null;
  return Number.isSafeInteger(value) ? (value as number) : null;
}
