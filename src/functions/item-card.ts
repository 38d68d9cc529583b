/**
 * The value of INV.ITEM: the shelf quantity as a number that brings a card (documented for DoubleCellValue, ExcelApi 1.19),
 * so that sums and comparisons work on it as on any number, and `=A2.Backroom` gives a field. A custom function returns data
 * types in the same JSON schema as `Range.valuesAsJson` (documented).
 * A field without a record is left out: its formula then shows #FIELD!, not a number that nobody gave.
 */
import { serialFromMs } from "../domain/dates";
import type { ItemQuery, ItemRecord } from "../domain/records";

export interface ItemCard {
  readonly quantity: number;
  readonly query: ItemQuery;
  readonly record: ItemRecord;
  readonly fetchedAtMs: number;
}

/** Of a card as JSON, at most: its fields, and its list of CIDs. */
export function cardBytes({ record }: ItemCard): number {
  return mostFieldBytes + mostCidBytes * Math.min(record.cids.length, listedCids);
}

const mostFieldBytes = 850;
const mostCidBytes = 17;

const timeFormat = "yyyy-mm-dd hh:mm";
const ageFormat = "[h]:mm";
const listedCids = 10;

/** Where each quantity of the card is found. */
const quantities = [
  ["Shelf", "STORE", "AVAILABLE"],
  ["Shelf net", "STORE", "NET_AVAILABLE"],
  ["Backroom", "BACKROOM", "AVAILABLE"],
  ["Backroom net", "BACKROOM", "NET_AVAILABLE"],
] as const;

/** The number with its card, as Excel takes it. */
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
  if (cids.length > 0) properties["CID inventories"] = text(cidList(cids.map(({ cid }) => cid)));
  const title = `${query.value} at store ${String(query.storeNumber)}`;
  const sections: Excel.CardLayoutSection[] = [{ layout: "List", properties: Object.keys(properties) }];
  return { ...double(quantity), basicType: "Double", properties, layouts: { card: { title, sections } } };
}

function cidList(cids: readonly number[]): string {
  const more = cids.length > listedCids ? ` and ${String(cids.length - listedCids)} more` : "";
  return cids.slice(0, listedCids).join(", ") + more;
}

function double(basicValue: number, numberFormat?: string): Excel.DoubleCellValue {
  return { type: "Double", basicValue, ...(numberFormat !== undefined && { numberFormat }) };
}

function text(basicValue: string): Excel.StringCellValue {
  return { type: "String", basicValue };
}
