/**
 * Turns a formula's arguments into queries: lays them out over the shape of the result, and reads an item or a history for each
 * place of it. Returns a refusal for a wrong argument, and null if store or item is blank. Arguments that aren't ranges are not
 * turned into grids.
 * Invariant: every argument cell is read once, however far it is broadcast over the result.
 */
import { parseLocationArea, parseItemType } from "../domain/choices";
import { checkHistoryDates, parseDate } from "../domain/dates";
import type { InvError } from "../domain/errors";
import { parseEventType } from "../domain/event-types";
import { parseGtin, parseItemNumber, parseStoreNumber } from "../domain/identifiers";
import type { HistoryQuery, ItemQuery } from "../domain/records";
import {
  cellAt,
  commonShape,
  indexAt,
  onePlace,
  toGrid,
  trimWholeReferences,
  type CellGrid,
  type Shape,
} from "./grid";
import { currentContext, type FunctionContext } from "./context";
import { isRefusal, createArgumentReader, readNonBlank, refusalOf, type ReadResult } from "./argument-values";

/** Arguments by their names in the signature; null or undefined if left out. */
export type Arguments<Name extends string> = Readonly<Record<Name, unknown>>;

/** The arguments at one place of a formula's result. */
export interface PlaceArguments<Name extends string> {
  readonly context: FunctionContext;
  readonly shape: Shape;
  /** Values if the result is one place, otherwise grids. */
  readonly given: Arguments<Name>;
  /** The place. Changes while a formula asks for one place after another. */
  row: number;
  col: number;
  /** The values already read from broadcast cells, by reader; null if the result is one place. */
  readonly readValues: Map<Reader<unknown>, unknown[]> | null;
}

type Reader<T> = (raw: unknown) => ReadResult<T>;

/**
 * Aligns the arguments with the shape of the result. Returns the shape, or an error that names the two shapes that don't match.
 * It changes the arguments in place, because a copy would take a fifth of a formula's time.
 */
export function layOutArguments(named: Arguments<string>): Shape | InvError {
  const given: Record<string, unknown> = named;
  let isOne = true;
  for (const name in given) {
    given[name] = unwrapped(given[name]);
    if (Array.isArray(given[name])) isOne = false;
  }
  return isOne ? onePlace : broadcast(given);
}

/** Returns the value of a matrix of one; anything else unchanged. */
function unwrapped(value: unknown): unknown {
  if (!Array.isArray(value) || value.length !== 1) return value;
  const first: unknown = value[0];
  if (!Array.isArray(first)) return first;
  return first.length === 1 ? first[0] : value;
}

/** Turns all arguments into grids, because some are ranges. */
function broadcast(given: Record<string, unknown>): Shape | InvError {
  const names = Object.keys(given);
  const grids: Record<string, CellGrid<unknown>> = {};
  trimWholeReferences(Object.values(given), isBlank).forEach(
    (value, index) => (grids[names[index] ?? ""] = toGrid(value)),
  );
  const shape = commonShape(grids);
  for (const name of names) given[name] = shape === onePlace ? grids[name]?.cells[0] : grids[name];
  return shape;
}

/** Excel passes empty cells as "" or 0 (seen; null in some versions on the web). */
function isBlank(cell: unknown): boolean {
  return cell === "" || readNonBlank(cell, "") === null;
}

/** Returns the argument at this place, unread. */
export function rawAt<Name extends string>(
  { shape, given, row, col }: PlaceArguments<Name>,
  name: Name,
): unknown {
  return shape === onePlace ? given[name] : cellAt(given[name] as CellGrid<unknown>, row, col);
}

/** Reads the argument at this place. An argument that the function doesn't have counts as left out. */
export function readAt<Name extends string, T>(
  place: PlaceArguments<Name>,
  name: Name,
  read: Reader<T>,
): ReadResult<T> {
  const { readValues, given, row, col } = place;
  const argument = given[name];
  if (readValues === null || argument === undefined) return read(argument);
  const grid = argument as CellGrid<unknown>;
  const index = indexAt(grid, row, col);
  let values = readValues.get(read) as (ReadResult<T> | undefined)[] | undefined;
  if (values === undefined) readValues.set(read, (values = []));
  const value = values[index];
  return value === undefined ? (values[index] = read(grid.cells[index])) : value;
}

/** Reads an item from `store`, `item` and `item_type` (`gtin` by default). */
export function readItemQuery(place: PlaceArguments<"store" | "item" | "item_type">): ReadResult<ItemQuery> {
  const type = readAt(place, "item_type", readItemType) ?? "gtin";
  const item = readAt(place, "item", itemReaders[isRefusal(type) ? "gtin" : type]);
  const store = readAt(place, "store", readStore);
  if (store === null || item === null) return null;
  if (isRefusal(store)) return store;
  if (isRefusal(type)) return type;
  return isRefusal(item) ? item : { storeNumber: store, itemType: type, value: item };
}

export type HistoryOption = "event_type" | "start_date" | "end_date" | "location_area";

/** Reads a history. Functions differ in which of the options they have. */
export function readHistoryQuery(some: PlaceArguments<"store" | "gtin">): ReadResult<HistoryQuery> {
  const place = some as PlaceArguments<"store" | "gtin" | HistoryOption>;
  return historyOf(
    {
      storeNumber: readAt(place, "store", readStore),
      gtin: readAt(place, "gtin", readGtin),
      eventType: readAt(place, "event_type", readEventType),
      startDate: readAt(place, "start_date", readStartDate),
      endDate: readAt(place, "end_date", readEndDate),
      locationArea: readAt(place, "location_area", readLocationArea),
    },
    place.context.now(),
  );
}

type ReadHistory = {
  readonly [Key in keyof Required<HistoryQuery>]: ReadResult<Required<HistoryQuery>[Key]>;
};

function historyOf(read: ReadHistory, nowMs: number): ReadResult<HistoryQuery> {
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

/** There is a context: formulas are calculated only after the add-in has started. */
const nowMs = (): number => currentContext()?.now() ?? 0;

const readStore = createArgumentReader("store", parseStoreNumber);
const readItemType = createArgumentReader("item_type", parseItemType);
const readGtin = createArgumentReader("gtin", (value) => parseGtin(value, "gtin"));
const readEventType = createArgumentReader("event_type", parseEventType);
const readStartDate = createArgumentReader("start_date", (value) => parseDate(value, "start_date", nowMs()));
const readEndDate = createArgumentReader("end_date", (value) => parseDate(value, "end_date", nowMs()));
const readLocationArea = createArgumentReader("location_area", parseLocationArea);
const itemReaders = {
  gtin: createArgumentReader("item", (value) => parseGtin(value)),
  wm_item_number: createArgumentReader("item", (value) => parseItemNumber(value)),
} as const;
