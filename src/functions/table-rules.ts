/**
 * The functions whose result is a table: rows for one store and one item, with headings by default. Without rows the result is #N/A with
 * the reason, because Excel shows an empty table as #CALC!.
 */
import { InvError, type ErrorCode } from "../domain/errors";
import { meaningOf } from "../domain/event-types";
import {
  type HistoryEvent,
  type HistoryQuery,
  type ItemQuery,
  type ItemRecord,
  type Query,
  unclearQuantity,
} from "../domain/records";
import { fetchEvents, unreadableQuantity } from "./history-rules";
import { askItem, unreadableTime } from "./item-rules";
import { timeFromMs, type CellResult } from "./present";
import { readHistoryQuery, readItemQuery, type HistoryOption } from "./queries";
import { noSuchValueRefusal, settleLater, type QueryRule } from "./rule";
import { isRefusal, readYesNo, refusalOf } from "./argument-values";

type ItemArgument = "store" | "item" | "item_type" | "headers";
type HistoryArgument = "store" | "gtin" | "headers" | HistoryOption;

const itemTable = {
  itemArgument: "item",
  queryAt: readItemQuery,
  ask: askItem,
  emptyCode: "no-record",
} as const;

/** STOCK: every location record of an item. */
export const stock = table<ItemArgument, ItemQuery, ItemRecord>({
  ...itemTable,
  headings: ["Location area", "State", "Quantity", "Last updated (UTC)"],
  emptyMessage: "The service has the item, but no inventory record in any location area.",
  rows: ({ locations, lastUpdatedMs, lastUpdatedFault }) =>
    locations.map((location) => [
      location.locationArea,
      location.state,
      location.quantity ?? refusalOf(unclearQuantity(location)),
      lastUpdatedMs !== null
        ? timeFromMs(lastUpdatedMs)
        : lastUpdatedFault === undefined
          ? ""
          : refusalOf(unreadableTime(lastUpdatedFault)),
    ]),
});

/** CID: the inventories at consumer-item level, one row for each cross reference. */
export const consumerItems = table<ItemArgument, ItemQuery, ItemRecord>({
  ...itemTable,
  headings: ["CID", "Cross reference"],
  emptyMessage: "The service has the item, but no inventory at consumer-item (CID) level.",
  rows: ({ cids }) =>
    cids.flatMap(({ cid, crossReferences }) => {
      const shown = cid ?? refusalOf(unreadableCid());
      return crossReferences.length === 0 ? [[shown, ""]] : crossReferences.map((entry) => [shown, entry]);
    }),
});

/** EVENTS: a history, all pages. */
export const events = table<HistoryArgument, HistoryQuery, readonly HistoryEvent[]>({
  itemArgument: "gtin",
  queryAt: readHistoryQuery,
  ask: (query, calculation, waiter) => settleLater(waiter, fetchEvents(query, calculation)),
  emptyCode: "no-events",
  headings: ["Time (UTC)", "Event type", "Meaning", "Quantity", "Quantity after"],
  emptyMessage: "There are no such events in these dates and this location area.",
  rows: (found) =>
    found.map(({ createdAtMs, eventType, quantity, quantityAfter }) => [
      timeFromMs(createdAtMs),
      eventType,
      meaningOf(eventType),
      quantity ?? refusalOf(unreadableQuantity(eventType)),
      quantityAfter ?? "",
    ]),
});

interface Table<Name extends string, Asked extends Query, Value> extends Pick<
  QueryRule<Name, Asked, Value>,
  "itemArgument" | "queryAt" | "ask"
> {
  readonly headings: readonly string[];
  /** Why there are no rows, in words and as a code. */
  readonly emptyMessage: string;
  readonly emptyCode: ErrorCode;
  rows(value: Value): CellResult[][];
}

function table<Name extends string, Asked extends Query, Value>(
  definition: Table<Name | "headers", Asked, Value>,
): QueryRule<Name | "headers", Asked & { readonly isHeaded: boolean }, Value> {
  return {
    itemArgument: definition.itemArgument,
    takesNoRanges: true,
    queryAt(place) {
      const query = definition.queryAt(place);
      if (query === null || isRefusal(query)) return query;
      const isHeaded = readYesNo(place.raw("headers"), "headers");
      return isRefusal(isHeaded) ? isHeaded : { ...query, isHeaded };
    },
    ask: definition.ask,
    show(answer, query, calculation) {
      if (!answer.found) return noSuchValueRefusal(answer.error, query, calculation);
      const rows = definition.rows(answer.value);
      if (rows.length === 0) return refusalOf(new InvError(definition.emptyCode, definition.emptyMessage));
      return query.isHeaded ? [[...definition.headings], ...rows] : rows;
    },
  };
}

function unreadableCid(): InvError {
  const message =
    "The service returned a CID that isn't a whole number of at most 15 digits. Refresh later. If it happens again, report it to the service's support.";
  return new InvError("bad-answer", message);
}
