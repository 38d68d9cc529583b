/**
 * The inventory functions as Excel lists them. The comments are the one source of functions.json, the help
 * pages and the tables in the documentation, so they are written for planners. Names, ids and the order of
 * arguments must not change after a release, because saved workbooks contain them. New arguments come at the
 * end. Their names are in snake_case, as Excel spells its own.
 */
/* oxlint-disable max-params -- Excel passes the arguments of a formula one by one. */
import { calculate } from "../calculate";
import { fetchTimes, quantities, statuses, updateTimes } from "../item-rules";
import { consumerItems, stock } from "../table-rules";

/**
 * Returns the quantity of an item at a store, live from the service. Ranges of stores and items return a column or a grid of quantities.
 * @customfunction QTY
 * @param store The store number, 2 to 6 digits, or a range of store numbers.
 * @param item The GTIN, or a range of GTINs. For item numbers, set item_type to "wm_item_number".
 * @param location_area The location area: "STORE" (default), "BACKROOM", or "ALL" for the sum of all areas.
 * @param state The inventory state: "AVAILABLE" (default) or "NET_AVAILABLE". States are never added together.
 * @param item_type The type of the item: "gtin" (default) or "wm_item_number".
 * @requiresAddress
 * @returns The quantity; 0 only if the service says 0. For ranges one for each pair of store and item.
 * @error #N/A The item is not mapped to the supplier, has no data at the store, or no record for that area and state.
 * @error #VALUE! An argument is not valid, or INV has no earlier value and is not connected or cannot reach the service.
 * @example =INV.QTY(1234, "00012345678905") | a number | What the store has available of one item.
 * @example =INV.QTY(A2:A500, B2:B500) | a column | Stores in column A, items in column B: one formula for all rows.
 * @example =IFNA(INV.QTY(1234, 123456789, "ALL", , "wm_item_number"), 0) | a number | By item number, all areas together, and 0 for #N/A. IFNA leaves outages visible.
 * @live =INV.QTY(1234, "00012345678905")
 */
export function qty(
  store: unknown[][],
  item: unknown[][],
  location_area?: unknown[][],
  state?: unknown[][],
  item_type?: unknown[][],
  invocation?: CustomFunctions.Invocation,
): Promise<unknown[][]> {
  return calculate({ store, item, location_area, state, item_type }, invocation, quantities);
}

/**
 * Returns every inventory record of one item at one store as rows: location area, state, quantity, and time of the last update.
 * @customfunction STOCK
 * @param store The store number, 2 to 6 digits.
 * @param item The GTIN. For an item number, set item_type to "wm_item_number".
 * @param item_type The type of the item: "gtin" (default) or "wm_item_number".
 * @param headers TRUE (default) to show the row of headings, or FALSE to leave it out.
 * @requiresAddress
 * @returns One row for each location area and state, below a row of headings. Times are UTC: format the column as date and time.
 * @error #N/A The item is not mapped to the supplier, or has no data or no record at the store.
 * @error #VALUE! An argument is not valid, or INV has no earlier value and is not connected or cannot reach the service.
 * @example =INV.STOCK(1234, "00012345678905") | a table | All areas and states of one item.
 * @example =INV.STOCK(1234, 123456789, "wm_item_number") | a table | The same by item number.
 * @example =INV.STOCK(1234, "00012345678905", , FALSE) | a table | Rows only, without headings.
 * @live =INV.STOCK(1234, "00012345678905")
 */
export function stockTable(
  store: unknown,
  item: unknown,
  item_type?: unknown,
  headers?: unknown,
  invocation?: CustomFunctions.Invocation,
): Promise<unknown[][]> {
  return calculate({ store, item, item_type, headers }, invocation, stock);
}

/**
 * Returns the inventories of one item at consumer-item (CID) level as rows, with cross references as the service sends them.
 * @customfunction CID
 * @param store The store number, 2 to 6 digits.
 * @param item The GTIN. For an item number, set item_type to "wm_item_number".
 * @param item_type The type of the item: "gtin" (default) or "wm_item_number".
 * @param headers TRUE (default) to show the row of headings, or FALSE to leave it out.
 * @requiresAddress
 * @returns One row for each cross reference of a CID, below a row of headings.
 * @error #N/A The item is not mapped to the supplier, has no data at the store, or none at CID level.
 * @error #VALUE! An argument is not valid, or INV has no earlier value and is not connected or cannot reach the service.
 * @example =INV.CID(1234, "00012345678905") | a table | The consumer items behind one GTIN.
 * @example =INV.CID(1234, 123456789, "wm_item_number") | a table | The same by item number.
 * @example =INDEX(INV.CID(1234, "00012345678905", , FALSE), 1, 1) | a number | Only the first CID.
 * @live =INV.CID(1234, "00012345678905")
 */
export function cidTable(
  store: unknown,
  item: unknown,
  item_type?: unknown,
  headers?: unknown,
  invocation?: CustomFunctions.Invocation,
): Promise<unknown[][]> {
  return calculate({ store, item, item_type, headers }, invocation, consumerItems);
}

/**
 * Returns the date and time, in UTC, when the service last updated its record of an item at a store. In older versions of Excel, format the cell as a date.
 * @customfunction UPDATED
 * @param store The store number, 2 to 6 digits, or a range of store numbers.
 * @param item The GTIN, or a range of GTINs. For item numbers, set item_type to "wm_item_number".
 * @param item_type The type of the item: "gtin" (default) or "wm_item_number".
 * @requiresAddress
 * @returns An Excel date and time, UTC; for ranges one for each pair.
 * @error #N/A The item is not mapped to the supplier, has no data at the store, or no time of an update.
 * @error #VALUE! An argument is not valid, or INV has no earlier value and is not connected or cannot reach the service.
 * @example =INV.UPDATED(1234, "00012345678905") | a date and time | Shares the call with INV.QTY of the same item.
 * @example =TEXT(INV.UPDATED(1234, "00012345678905"), "yyyy-mm-dd hh:mm") | a text | Written out, in UTC.
 * @example =INV.UPDATED(A2:A500, B2:B500) | a column | Stores in column A, items in column B.
 * @live =INV.UPDATED(1234, "00012345678905")
 */
export function updated(
  store: unknown[][],
  item: unknown[][],
  item_type?: unknown[][],
  invocation?: CustomFunctions.Invocation,
): Promise<unknown[][]> {
  return calculate({ store, item, item_type }, invocation, updateTimes);
}

/**
 * Returns the date and time, in UTC, when INV fetched its record of an item at a store: how old the numbers beside it are. In older versions of Excel, format the cell as a date.
 * @customfunction ASOF
 * @param store The store number, 2 to 6 digits, or a range of store numbers.
 * @param item The GTIN, or a range of GTINs. For item numbers, set item_type to "wm_item_number".
 * @param item_type The type of the item: "gtin" (default) or "wm_item_number".
 * @requiresAddress
 * @returns An Excel date and time, UTC; for ranges one for each pair. Asks the service only if INV has no record of the item.
 * @error #N/A The item is not mapped to the supplier, or has no data at the store.
 * @error #VALUE! An argument is not valid, or INV has no earlier value and is not connected or cannot reach the service.
 * @example =INV.ASOF(1234, "00012345678905") | a date and time | When INV fetched the number that INV.QTY shows.
 * @example =MIN(INV.ASOF(A2:A500, B2:B500)) | a date and time | The oldest of a whole column.
 * @example =INV.ASOF(1234, 123456789, "wm_item_number") | a date and time | By item number.
 * @live =INV.ASOF(1234, "00012345678905")
 */
export function asOf(
  store: unknown[][],
  item: unknown[][],
  item_type?: unknown[][],
  invocation?: CustomFunctions.Invocation,
): Promise<unknown[][]> {
  return calculate({ store, item, item_type }, invocation, fetchTimes);
}

/**
 * Returns what the service says about an item at a store as text: SUCCESS, or its reason. It is never an error if the service answered.
 * @customfunction STATUS
 * @param store The store number, 2 to 6 digits, or a range of store numbers.
 * @param item The GTIN, or a range of GTINs. For item numbers, set item_type to "wm_item_number".
 * @param item_type The type of the item: "gtin" (default) or "wm_item_number".
 * @param stale TRUE to add since when a value is stale. Then INV asks only for items that it knows nothing about.
 * @requiresAddress
 * @returns SUCCESS, or the service's reason such as "No data found"; for ranges one for each pair.
 * @error #VALUE! An argument is not valid, or INV has no earlier value and is not connected or cannot reach the service.
 * @example =INV.STATUS(1234, "00012345678905") | SUCCESS | The service has a record of this item.
 * @example =INV.STATUS(1234, "00012345678905", , TRUE) | SUCCESS, not answered since 2026-11-20 14:02 UTC | In an outage, the value beside it is of that time.
 * @example =COUNTIF(C2:C500, "<>SUCCESS") | a number | With =INV.STATUS(A2:A500, B2:B500) in C2: how many items need a look.
 * @live =INV.STATUS(1234, "00012345678905")
 */
export function status(
  store: unknown[][],
  item: unknown[][],
  item_type?: unknown[][],
  stale?: unknown[][],
  invocation?: CustomFunctions.Invocation,
): Promise<unknown[][]> {
  return calculate({ store, item, item_type, stale }, invocation, statuses);
}
