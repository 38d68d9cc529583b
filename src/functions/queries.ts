/**
 * From arguments to what the engine is asked: for each place of the result an item or a history, a
 * refusal, or nothing where store or item is blank. Every argument cell is read once, however often it
 * stretches over the result.
 */
import { parseLocationArea, parseItemType } from "../domain/choices";
import { checkHistoryDates, parseDate } from "../domain/dates";
import { InvError, isInvError } from "../domain/errors";
import { parseEventType } from "../domain/event-types";
import { parseGtin } from "../domain/gtin";
import { parseItemNumber } from "../domain/item-number";
import type { HistoryQuery, ItemQuery, ItemType } from "../domain/records";
import { parseStoreNumber } from "../domain/store-number";
import {
  cellAt,
  fit,
  leftOut,
  mapGrid,
  shapeText,
  toGrid,
  trimWholeColumns,
  type Grid,
  type Shape,
} from "./grid";
import type { Arguments } from "./host";
import { cutEmptyEnds, isWholeColumn } from "./whole-columns";
import { isRefusal, reader, readFilled, refusalOf, type Read, type Refusal } from "./values";

export interface Layout<Name extends string> {
  readonly shape: Shape;
  readonly grids: Readonly<Record<Name, Grid<unknown>>>;
}

/** What is asked, why it cannot be, or null where store or item is blank. */
export type Asked<Query> = Query | Refusal | null;

/** The same for each place of a result. */
export type QueryAt<Query> = (row: number, col: number) => Asked<Query>;

/** All arguments as grids of one common shape, or the error that names two shapes that do not fit. */
export function layOut<Name extends string>(named: Arguments<Name>): Layout<Name> | InvError {
  const names = Object.keys(named) as Name[];
  const given = names.map((name) => named[name]);
  const trimmed = trimWholeColumns(
    cutEmptyEnds(given).map(toGrid),
    (cell) => readFilled(cell, "") === null,
    given.map(isWholeColumn),
  );
  const grids = {} as Record<Name, Grid<unknown>>;
  names.forEach((name, index) => (grids[name] = trimmed[index] ?? leftOut));
  const shape = fit(grids);
  return isInvError(shape) ? shape : { shape, grids };
}

/** The same for functions whose result is a table of its own: each argument must be one value. */
export function layOutSingle<Name extends string>(named: Arguments<Name>): Layout<Name> | InvError {
  const layout = layOut(named);
  if (isInvError(layout)) return layout;
  const { rows, cols } = layout.shape;
  if (rows === 1 && cols === 1) return layout;
  const names = Object.keys(named) as Name[];
  const wide = names.find((name) => layout.grids[name].cells.length > 1) ?? "store";
  return new InvError(
    "bad-argument",
    `${wide}: expected one value, received a range of ${shapeText(layout.shape)}. ` +
      "This function makes a table of one item: write one formula for each.",
  );
}

/** Item queries of `store`, `item` and `item_type` (`gtin` unless given). */
export function itemQueries(grids: Layout<"store" | "item" | "item_type">["grids"]): QueryAt<ItemQuery> {
  const stores = mapGrid(grids.store, readStore);
  const types = mapGrid(grids.item_type, readItemType);
  const itemsByType: Partial<Record<ItemType, Grid<Read<string>>>> = {};
  const itemsAs = (type: ItemType): Grid<Read<string>> =>
    (itemsByType[type] ??= mapGrid(grids.item, itemReaders[type]));

  return (row, col) => {
    const type = cellAt(types, row, col) ?? "gtin";
    const item = cellAt(itemsAs(isRefusal(type) ? "gtin" : type), row, col);
    return itemQuery(cellAt(stores, row, col), type, item);
  };
}

/** The same of arguments that are one value each. */
export function singleItemQuery(given: Arguments<"store" | "item" | "item_type">): Asked<ItemQuery> {
  const type = readItemType(given.item_type) ?? "gtin";
  const item = itemReaders[isRefusal(type) ? "gtin" : type](given.item);
  return itemQuery(readStore(given.store), type, item);
}

function itemQuery(store: Read<number>, type: ItemType | Refusal, item: Read<string>): Asked<ItemQuery> {
  if (store === null || item === null) return null;
  if (isRefusal(store)) return store;
  if (isRefusal(type)) return type;
  return isRefusal(item) ? item : { storeNumber: store, itemType: type, value: item };
}

export type HistoryOption = "event_type" | "start_date" | "end_date" | "location_area";

/** History queries; what is left out stays out. Which arguments there are differs by function. */
export function historyQueries(
  grids: Readonly<Record<"store" | "gtin", Grid<unknown>>> &
    Readonly<Partial<Record<HistoryOption, Grid<unknown>>>>,
  nowMs: number,
): QueryAt<HistoryQuery> {
  const stores = mapGrid(grids.store, readStore);
  const gtins = mapGrid(grids.gtin, readGtin);
  const types = mapGrid(grids.event_type ?? leftOut, readEventType);
  const starts = mapGrid(grids.start_date ?? leftOut, readStartDate);
  const ends = mapGrid(grids.end_date ?? leftOut, readEndDate);
  const areas = mapGrid(grids.location_area ?? leftOut, readLocationArea);

  return (row, col) =>
    historyQuery(
      {
        storeNumber: cellAt(stores, row, col),
        gtin: cellAt(gtins, row, col),
        eventType: cellAt(types, row, col),
        startDate: cellAt(starts, row, col),
        endDate: cellAt(ends, row, col),
        locationArea: cellAt(areas, row, col),
      },
      nowMs,
    );
}

/** The same of arguments that are one value each. */
export function singleHistoryQuery(
  given: Arguments<"store" | "gtin"> & Partial<Arguments<HistoryOption>>,
  nowMs: number,
): Asked<HistoryQuery> {
  return historyQuery(
    {
      storeNumber: readStore(given.store),
      gtin: readGtin(given.gtin),
      eventType: readEventType(given.event_type),
      startDate: readStartDate(given.start_date),
      endDate: readEndDate(given.end_date),
      locationArea: readLocationArea(given.location_area),
    },
    nowMs,
  );
}

type ReadHistory = { readonly [Key in keyof Required<HistoryQuery>]: Read<Required<HistoryQuery>[Key]> };

function historyQuery(read: ReadHistory, nowMs: number): Asked<HistoryQuery> {
  const { storeNumber, gtin, eventType, startDate, endDate, locationArea } = read;
  if (storeNumber === null || gtin === null) return null;
  if (isRefusal(storeNumber)) return storeNumber;
  if (isRefusal(gtin)) return gtin;
  if (isRefusal(eventType)) return eventType;
  if (isRefusal(startDate)) return startDate;
  if (isRefusal(endDate)) return endDate;
  if (isRefusal(locationArea)) return locationArea;
  const wrongDates = checkHistoryDates(
    { startDate: startDate ?? undefined, endDate: endDate ?? undefined },
    nowMs,
  );
  if (wrongDates !== null) return refusalOf(wrongDates);
  return {
    storeNumber,
    gtin,
    ...(eventType !== null && { eventType }),
    ...(startDate !== null && { startDate }),
    ...(endDate !== null && { endDate }),
    ...(locationArea !== null && { locationArea }),
  };
}

const readStore = reader("store", parseStoreNumber);
const readItemType = reader("item_type", parseItemType);
const readGtin = reader("gtin", (value) => parseGtin(value, "gtin"));
const readEventType = reader("event_type", parseEventType);
const readStartDate = reader("start_date", (value) => parseDate(value, "start_date"));
const readEndDate = reader("end_date", (value) => parseDate(value, "end_date"));
const readLocationArea = reader("location_area", parseLocationArea);
const itemReaders = {
  gtin: reader("item", (value) => parseGtin(value)),
  wm_item_number: reader("item", (value) => parseItemNumber(value)),
} as const;
