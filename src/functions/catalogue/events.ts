/** The functions over the transaction history as Excel lists them, by the rules in `inventory.ts`. */
/* oxlint-disable max-params -- Excel passes the arguments of a formula one by one. */
import { calculate } from "../calculate";
import { eventQuantities, lastEventTimes } from "../history-rules";
import { eventTypeTable } from "../fact-rules";
import { events } from "../table-rules";

/**
 * Returns the events of an item at a store as rows, sorted by time: sales, returns, receipts, adjustments, and more of the last 7 days.
 * @customfunction EVENTS
 * @param store The store number, 2 to 6 digits.
 * @param gtin The GTIN.
 * @param event_type The event code, such as "SALES". If omitted, all event types. INV.EVENTTYPES lists the codes.
 * @param start_date The first day, as an Excel date or "yyyy-mm-dd". The service keeps the last 7 days.
 * @param end_date The last day, as an Excel date or "yyyy-mm-dd".
 * @param location_area The location area: "STORE" (default) or "BACKROOM".
 * @param headers TRUE (default) to show the row of headings, or FALSE to leave it out.
 * @requiresAddress
 * @returns One row for each event, below a row of headings: time in UTC (format it as date and time), event type, meaning, quantity, quantity after.
 * @error #N/A There are no such events, or the item is not mapped to the supplier.
 * @error #VALUE! An argument is not valid, or INV has no earlier value and is not connected or cannot reach the service.
 * @example =INV.EVENTS(1234, "00012345678905") | a table | Everything the service has of one item.
 * @example =INV.EVENTS(1234, "00012345678905", "SALES", TODAY()-2) | a table | Sales of the last days.
 * @example =INV.EVENTS(1234, "00012345678905", , , , "BACKROOM", FALSE) | a table | Events of the backroom, without headings.
 * @live =INV.EVENTS(1234, "00012345678905")
 */
export function eventTable(
  store: unknown,
  gtin: unknown,
  event_type?: unknown,
  start_date?: unknown,
  end_date?: unknown,
  location_area?: unknown,
  headers?: unknown,
  invocation?: CustomFunctions.Invocation,
): Promise<unknown[][]> {
  return calculate(
    { store, gtin, event_type, start_date, end_date, location_area, headers },
    invocation,
    events,
  );
}

/**
 * Returns the sum of the quantities of all events of one type, of an item at a store or of ranges. Event types are never mixed.
 * @customfunction EVENTQTY
 * @param store The store number, 2 to 6 digits, or a range of store numbers.
 * @param gtin The GTIN, or a range of GTINs.
 * @param event_type The event code, such as "SALES", or a range of event codes. INV.EVENTTYPES lists the codes.
 * @param start_date The first day, as an Excel date or "yyyy-mm-dd". The service keeps the last 7 days.
 * @param end_date The last day, as an Excel date or "yyyy-mm-dd".
 * @param location_area The location area: "STORE" (default) or "BACKROOM".
 * @requiresAddress
 * @returns The sum as the service gives the quantities, 0 if its history of the item has no such events; for ranges one for each pair.
 * @error #N/A The service has no history of the item at the store, or the item is not mapped to the supplier.
 * @error #VALUE! An argument is not valid, or INV has no earlier value and is not connected or cannot reach the service.
 * @example =INV.EVENTQTY(1234, "00012345678905", "SALES") | a number | Units sold in the days the service keeps.
 * @example =INV.EVENTQTY(1234, "00012345678905", "RETURNS", TODAY()-1) | a number | Units returned since yesterday, 0 when there were none.
 * @example =INV.EVENTQTY(1234, B2:B20, C1:F1) | a grid | Items down, event codes across, from one formula.
 * @live =INV.EVENTQTY(1234, "00012345678905", "SALES")
 */
export function eventQuantity(
  store: unknown[][],
  gtin: unknown[][],
  event_type: unknown[][],
  start_date?: unknown[][],
  end_date?: unknown[][],
  location_area?: unknown[][],
  invocation?: CustomFunctions.Invocation,
): Promise<unknown[][]> {
  return calculate(
    { store, gtin, event_type, start_date, end_date, location_area },
    invocation,
    eventQuantities,
  );
}

/**
 * Returns the date and time, in UTC, of the latest event of an item at a store. In older versions of Excel, format the cell as a date.
 * @customfunction LASTEVENT
 * @param store The store number, 2 to 6 digits, or a range of store numbers.
 * @param gtin The GTIN, or a range of GTINs.
 * @param event_type The event code, such as "LR". If omitted, any event type. INV.EVENTTYPES lists the codes.
 * @param location_area The location area: "STORE" (default) or "BACKROOM".
 * @requiresAddress
 * @returns An Excel date and time, UTC; for ranges one for each pair.
 * @error #N/A There are no such events in the days the service keeps, or the item is not mapped to the supplier.
 * @error #VALUE! An argument is not valid, or INV has no earlier value and is not connected or cannot reach the service.
 * @example =INV.LASTEVENT(1234, "00012345678905") | a date and time | The latest event of any type.
 * @example =INV.LASTEVENT(1234, "00012345678905", "SALES") | a date and time | When it was last sold.
 * @example =INV.LASTEVENT(A2:A500, B2:B500, "LR") | a column | When each store last received each item.
 * @live =INV.LASTEVENT(1234, "00012345678905")
 */
export function lastEvent(
  store: unknown[][],
  gtin: unknown[][],
  event_type?: unknown[][],
  location_area?: unknown[][],
  invocation?: CustomFunctions.Invocation,
): Promise<unknown[][]> {
  return calculate({ store, gtin, event_type, location_area }, invocation, lastEventTimes);
}

/**
 * Returns the event codes that the service documents as rows: category, code, and meaning.
 * @customfunction EVENTTYPES
 * @param headers TRUE (default) to show the row of headings, or FALSE to leave it out.
 * @requiresAddress
 * @returns One row for each code, below a row of headings. The service may send codes beyond these.
 * @error #VALUE! The argument is not valid.
 * @example =INV.EVENTTYPES() | a table | All codes with their meaning.
 * @example =INV.EVENTTYPES(FALSE) | a table | Without headings.
 * @example =XLOOKUP("SALES", INDEX(INV.EVENTTYPES(), , 2), INDEX(INV.EVENTTYPES(), , 3)) | a text | The meaning of one code.
 * @live =INV.EVENTTYPES()
 */
export function eventTypeList(
  headers?: unknown,
  invocation?: CustomFunctions.Invocation,
): Promise<unknown[][]> {
  return calculate({ headers }, invocation, eventTypeTable);
}
