/**
 * What a call of the inventory lookup asks for, where it can be shared: a store, an item type, and values that
 * are each there once. Anything else (a field too many, a value twice, a number as text) is not ours to
 * understand: it goes to the service as it came.
 */
import type { SearchQuery } from "../../api/search-items";

/**
 * A body as INV's own pages write it, to the character: so there is no name given twice, no number in another
 * spelling and no second way to read it.
 */
const pattern =
  /^\{"item_type":"(gtin|wm_item_number)","store_nbr":([1-9]\d{1,5}),"item_type_values":(\["\d{1,14}"(?:,"\d{1,14}"){0,99}\])\}$/;
/** No such body is longer. */
const longest = 80 + 100 * 17;

/** Null where the call cannot be shared. */
export function readSearchQuery(body: Buffer): SearchQuery | null {
  if (body.length > longest) return null;
  const [, itemType, storeNumber, list = "[]"] = pattern.exec(body.toString("latin1")) ?? [];
  const values = JSON.parse(list) as string[];
  if (values.length === 0 || new Set(values).size < values.length) return null;
  return { itemType: itemType as SearchQuery["itemType"], storeNumber: Number(storeNumber), values };
}

/** The body of a call that asks for this. */
export function writeSearch({ itemType, storeNumber, values }: SearchQuery): Buffer {
  return Buffer.from(
    JSON.stringify({ item_type: itemType, store_nbr: storeNumber, item_type_values: values }),
  );
}
