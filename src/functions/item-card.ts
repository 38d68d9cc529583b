/**
 * The value of INV.ITEM: the shelf quantity as a number with a card (documented for DoubleCellValue, ExcelApi 1.19). Sums and comparisons
 * work on it, and `=A2.Backroom` returns a field. Custom functions return data types in the JSON schema of `Range.valuesAsJson`
 * (documented). A field without a record is left out, so that a formula shows #FIELD! and not a number that nobody returned.
 */
import { serialFromMs } from "../domain/dates";
import type { ItemQuery, ItemRecord } from "../domain/records";

export interface ItemCard {
  readonly quantity: number;
  readonly query: ItemQuery;
  readonly record: ItemRecord;
  readonly fetchedAtMs: number;
}

/** Returns the largest size of a card as JSON. */
export function cardBytes({ record }: ItemCard): number {
  return mostFieldBytes + mostCidBytes * Math.min(record.cids.length, listedCids);
}

const mostFieldBytes = 850;
const mostCidBytes = 17;

/** Excel doesn't translate the formats of data types, so this is right in every language. */
export const timeFormat = "yyyy-mm-dd hh:mm";
const ageFormat = "[h]:mm";
const listedCids = 10;

/** The area and state of each field. */
const quantities = [
  ["Shelf", "STORE", "AVAILABLE"],
  ["Shelf net", "STORE", "NET_AVAILABLE"],
  ["Backroom", "BACKROOM", "AVAILABLE"],
  ["Backroom net", "BACKROOM", "NET_AVAILABLE"],
] as const;

export function cardValue({ quantity, query, record, fetchedAtMs }: ItemCard): Excel.DoubleCellValue {
  const { lastUpdatedMs, cids } = record;
  const properties: Record<string, Excel.EntityPropertyType> = {};
  for (const [field, area, state] of quantities) {
    const found = record.locations.find((each) => each.locationArea === area && each.state === state);
    if (typeof found?.quantity === "number") properties[field] = double(found.quantity);
  }
  if (lastUpdatedMs !== null) properties["Updated"] = double(serialFromMs(lastUpdatedMs), timeFormat);
  properties["Fetched"] = double(serialFromMs(fetchedAtMs), timeFormat);
  if (lastUpdatedMs !== null && lastUpdatedMs <= fetchedAtMs) {
    properties["Age"] = double((fetchedAtMs - lastUpdatedMs) / 86_400_000, ageFormat);
  }
  if (cids.length > 0) properties["CID inventories"] = text(cidList(cids.map(({ cid }) => cid ?? "?")));
  const title = `${query.value} at store ${String(query.storeNumber)}`;
  const sections: Excel.CardLayoutSection[] = [{ layout: "List", properties: Object.keys(properties) }];
  return { ...double(quantity), basicType: "Double", properties, layouts: { card: { title, sections } } };
}

function cidList(cids: readonly (number | string)[]): string {
  const more = cids.length > listedCids ? ` and ${String(cids.length - listedCids)} more` : "";
  return cids.slice(0, listedCids).join(", ") + more;
}

function double(basicValue: number, numberFormat?: string): Excel.DoubleCellValue {
  return { type: "Double", basicValue, ...(numberFormat !== undefined && { numberFormat }) };
}

function text(basicValue: string): Excel.StringCellValue {
  return { type: "String", basicValue };
}
