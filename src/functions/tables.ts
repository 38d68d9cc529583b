/**
 * The functions whose result is a table: one store and one item in, rows out, with a row of headings
 * unless that is not wanted. Nothing to list is #N/A with the reason, never an empty table, which Excel
 * would show as #CALC!.
 */
import { InvError, toInvError } from "../domain/errors";
import { eventTypes, meaningOf } from "../domain/event-types";
import type { HistoryEvent, HistoryQuery, ItemQuery, ItemRecord } from "../domain/records";
import type { Answer } from "../engine/answer";
import { fetchItem, noteAnswer, noteFailure, previewPlaceholder, type Call } from "./call";
import { fetchEvents } from "./event-answers";
import { withFirstAid } from "./first-aid";
import { ofSingleValues, refuse } from "./calculate";
import type { Grid } from "./grid";
import { unreadableQuantity } from "./history";
import { twoQuantities } from "./inventory";
import { timeFromMs, type Shown } from "./present";
import { historyQueries, itemQueries, type Asked, type Layout } from "./queries";
import { givenText, isRefusal, readSwitch, refusalOf } from "./values";

/** STOCK: every location record of an item. */
export const stock = ofSingleValues<ItemTableArgument>((layout, call) =>
  itemTable(layout, call, {
    headings: ["Location area", "State", "Quantity", "Last updated (UTC)"],
    nothing: "The service has the item, but no inventory record in any location area.",
    rows: ({ locations, lastUpdatedMs }) =>
      locations.map(({ locationArea, state, quantity }) => [
        locationArea,
        state,
        quantity ?? refusalOf(twoQuantities(locationArea, state)),
        lastUpdatedMs === null ? "" : timeFromMs(lastUpdatedMs),
      ]),
  }),
);

/** CID: the inventories at consumer-item level, one row for each cross reference. */
export const consumerItems = ofSingleValues<ItemTableArgument>((layout, call) =>
  itemTable(layout, call, {
    headings: ["CID", "Cross reference"],
    nothing: "The service has the item, but no inventory at consumer-item (CID) level.",
    rows: ({ cids }) =>
      cids().flatMap(({ cid, crossReferences }) =>
        crossReferences.length === 0 ? [[cid, ""]] : crossReferences.map((entry) => [cid, entry]),
      ),
  }),
);

/** EVENTS: a history, all pages. */
export const events = ofSingleValues<
  "store" | "gtin" | "event_type" | "start_date" | "end_date" | "location_area" | "headers"
>((layout, call) => {
  const { grids } = layout;
  const asked = {
    query: historyQueries(grids, call.session.now())(0, 0),
    given: givenIn(grids.store, grids.gtin),
  };
  return fillTable(asked, call, {
    fetch: (query) => fetchEvents(call, query),
    headers: layout.grids.headers.cells[0],
    headings: ["Time (UTC)", "Event type", "Meaning", "Quantity", "Quantity after"],
    nothing: "There are no such events in these dates and this location area.",
    noneCode: "no-events",
    rows: (found: readonly HistoryEvent[]) =>
      found.map(({ createdAtMs, eventType, quantity, quantityAfter }) => [
        timeFromMs(createdAtMs),
        eventType,
        meaningOf(eventType),
        quantity ?? refusalOf(unreadableQuantity(eventType)),
        quantityAfter ?? "",
      ]),
  });
});

/** EVENTTYPES: the documented event codes; needs no service. */
export const eventTypeTable = ofSingleValues<"headers">((layout, call) => {
  const isHeaded = readSwitch(layout.grids.headers.cells[0], "headers");
  if (isRefusal(isHeaded)) return Promise.resolve([[refuse(call, isHeaded)]]);
  const rows = eventTypes.map(({ category, code, meaning }) => [category, code, meaning]);
  return Promise.resolve(isHeaded ? [["Category", "Event type", "Meaning"], ...rows] : rows);
});

type ItemTableArgument = "store" | "item" | "item_type" | "headers";

interface Table<Value> {
  readonly headings: readonly string[];
  /** Why there are no rows, in words. */
  readonly nothing: string;
  rows(value: Value): Shown[][];
}

interface FilledTable<Query, Value> extends Table<Value> {
  readonly headers: unknown;
  readonly noneCode: "no-record" | "no-events";
  fetch(query: Query): Promise<Answer<Value>> | null;
}

function itemTable(
  layout: Layout<ItemTableArgument>,
  call: Call,
  table: Table<ItemRecord>,
): Promise<Shown[][]> {
  const { grids } = layout;
  return fillTable({ query: itemQueries(grids)(0, 0), given: givenIn(grids.store, grids.item) }, call, {
    ...table,
    fetch: (query) => fetchItem(call, query),
    headers: layout.grids.headers.cells[0],
    noneCode: "no-record",
  });
}

/** What a table asks for, and store and item as given. */
interface TableQuery<Query> {
  readonly query: Asked<Query>;
  readonly given: { readonly store: string; readonly item: string };
}

function givenIn(store: Grid<unknown>, item: Grid<unknown>): TableQuery<never>["given"] {
  return { store: givenText(store.cells[0]), item: givenText(item.cells[0]) };
}

async function fillTable<Query extends ItemQuery | HistoryQuery, Value>(
  { query, given }: TableQuery<Query>,
  call: Call,
  table: FilledTable<Query, Value>,
): Promise<Shown[][]> {
  if (query === null) return [[""]];
  if (isRefusal(query)) return [[refuse(call, query, given)]];
  const isHeaded = readSwitch(table.headers, "headers");
  if (isRefusal(isHeaded)) return [[refuse(call, isHeaded, given)]];
  const fetched = table.fetch(query);
  if (fetched === null) return [[previewPlaceholder]];
  try {
    const answer = await fetched;
    noteAnswer(call, answer);
    if (!answer.found) {
      return [[refuse(call, withFirstAid<never>(refusalOf(answer.error), query), given)]];
    }
    const rows = table.rows(answer.value);
    if (rows.length === 0) {
      return [[refuse(call, refusalOf(new InvError(table.noneCode, table.nothing)), given)]];
    }
    const shown = isHeaded ? [[...table.headings], ...rows] : rows;
    shown.forEach((cells, row) => {
      cells.forEach((cell, col) => {
        if (isRefusal(cell)) noteFailure(call, cell, { row, col, ...given });
      });
    });
    return shown;
  } catch (error) {
    return [[refuse(call, refusalOf(toInvError(error)), given)]];
  }
}
