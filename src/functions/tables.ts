/**
 * The functions whose result is a table: rows for one store and one item, with headings by default. Without rows the result is #N/A with
 * the reason, because Excel shows an empty table as #CALC!.
 */
import { InvError, type ErrorCode } from "../domain/errors";
import { meaningOf } from "../domain/event-types";
import type { HistoryEvent, HistoryQuery, ItemQuery, ItemRecord } from "../domain/records";
import type { Waiter } from "../engine/answer";
import { fetchEvents, unreadableQuantity } from "./history";
import { askItem, twoQuantities } from "./inventory";
import { timeFromMs, type CellResult } from "./present";
import { historyQuery, itemQuery, rawAt, type HistoryOption } from "./queries";
import {
  noSuchValueRefusal,
  settleLater,
  type AskOutcome,
  type QueryRule,
  type Formula,
  type SessionCells,
} from "./rule";
import { isRefusal, readYesNo, refusalOf, type ReadResult } from "./values";

type ItemArgument = "store" | "item" | "item_type" | "headers";
type HistoryArgument = "store" | "gtin" | "headers" | HistoryOption;

const ofItem = { item: "item", query: itemQuery, ask: askItem, noneCode: "no-record" } as const;

/** STOCK: every location record of an item. */
export const stock = table<ItemArgument, ItemQuery, ItemRecord>({
  ...ofItem,
  headings: ["Location area", "State", "Quantity", "Last updated (UTC)"],
  emptyMessage: "The service has the item, but no inventory record in any location area.",
  rows: ({ locations, lastUpdatedMs }) =>
    locations.map(({ locationArea, state, quantity }) => [
      locationArea,
      state,
      quantity ?? refusalOf(twoQuantities(locationArea, state)),
      lastUpdatedMs === null ? "" : timeFromMs(lastUpdatedMs),
    ]),
});

/** CID: the inventories at consumer-item level, one row for each cross reference. */
export const consumerItems = table<ItemArgument, ItemQuery, ItemRecord>({
  ...ofItem,
  headings: ["CID", "Cross reference"],
  emptyMessage: "The service has the item, but no inventory at consumer-item (CID) level.",
  rows: ({ cids }) =>
    cids.flatMap(({ cid, crossReferences }) =>
      crossReferences.length === 0 ? [[cid, ""]] : crossReferences.map((entry) => [cid, entry]),
    ),
});

/** EVENTS: a history, all pages. */
export const events = table<HistoryArgument, HistoryQuery, readonly HistoryEvent[]>({
  item: "gtin",
  query: (cells) => historyQuery(cells, cells.session.now()),
  ask: (query, formula, waiter) => settleLater(waiter, fetchEvents(query, formula)),
  noneCode: "no-events",
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

interface Table<Name extends string, Query, Value> {
  readonly item: Name;
  query(cells: SessionCells<Name>): ReadResult<Query>;
  ask(query: Query, formula: Formula, waiter: Waiter<Value>): AskOutcome<Value>;
  readonly headings: readonly string[];
  /** Why there are no rows, in words and as a code. */
  readonly emptyMessage: string;
  readonly noneCode: ErrorCode;
  rows(value: Value): CellResult[][];
}

interface TableQuestion<Query extends ItemQuery | HistoryQuery> {
  readonly query: Query;
  readonly isHeaded: boolean;
}

function table<Name extends string, Query extends ItemQuery | HistoryQuery, Value>(
  definition: Table<Name | "headers", Query, Value>,
): QueryRule<Name | "headers", TableQuestion<Query>, Value> {
  return {
    item: definition.item,
    isTable: true,
    question(cells) {
      const query = definition.query(cells);
      if (query === null || isRefusal(query)) return query;
      const isHeaded = readYesNo(rawAt(cells, "headers"), "headers");
      return isRefusal(isHeaded) ? isHeaded : { query, isHeaded };
    },
    ask: ({ query }, formula, waiter) => definition.ask(query, formula, waiter),
    show(answer, { query, isHeaded }) {
      if (!answer.found) return noSuchValueRefusal(answer.error, query);
      const rows = definition.rows(answer.value);
      if (rows.length === 0) return refusalOf(new InvError(definition.noneCode, definition.emptyMessage));
      return isHeaded ? [[...definition.headings], ...rows] : rows;
    },
  };
}
