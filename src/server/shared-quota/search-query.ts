/**
 * Reads what a call of the inventory lookup asks for, if the call can be shared: a store, an item type, and different
 * values. Any other body (an additional field, a repeated value, a number as text) goes to the service unchanged.
 */
import type { SearchQuery } from "../../api/search-items";

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
