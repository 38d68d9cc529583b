/**
 * Turns a formula's arguments into queries: lays them out over the shape of the result, and reads an item or a history for each
 * place of it. Returns a refusal for a wrong argument, and null if store or item is blank. Arguments that aren't ranges are not
 * turned into grids.
 * Invariant: every argument cell is read once, however far it is broadcast over the result.
 */
import { parseLocationArea, parseItemType } from "../domain/choices";
import { checkHistoryDates, parseDate } from "../domain/dates";
import { type InvError, isInvError } from "../domain/errors";
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

/** The arguments at one place of a formula's result. An argument that the function doesn't have counts as left out. */
export interface PlaceArguments<Name extends string> {
  readonly context: FunctionContext;
  /** Returns the argument unread. */
  raw(name: Name): unknown;
  read<T>(name: Name, read: Reader<T>): ReadResult<T>;
}

type Reader<T> = (raw: unknown) => ReadResult<T>;

/**
 * Aligns the arguments with the shape of the result. Returns them for its places, or an error that names the two shapes that don't
 * match. It changes the arguments in place, because a copy would take a fifth of a formula's time.
 */
export function layOutArguments(
  named: Arguments<string>,
  context: FunctionContext,
): SinglePlace | RangePlaces | InvError {
  const given: Record<string, unknown> = named;
  let isOne = true;
  for (const name in given) {
    const value = given[name];
    if (!Array.isArray(value)) continue;
    const only = unwrapped(value);
    given[name] = only;
    if (Array.isArray(only)) isOne = false;
  }
  return isOne ? new SinglePlace(given, context) : broadcast(given, context);
}

/** The arguments of a formula with one place: their values. */
export class SinglePlace implements PlaceArguments<string> {
  declare private readonly given: Arguments<string>;
  declare readonly context: FunctionContext;

  constructor(given: Arguments<string>, context: FunctionContext) {
    this.given = given;
    this.context = context;
  }

  raw(name: string): unknown {
    return this.given[name];
  }

  read<T>(name: string, read: Reader<T>): ReadResult<T> {
    return read(this.given[name]);
  }
}

/** The arguments of a range formula, at one place after another. */
export class RangePlaces implements PlaceArguments<string> {
  row = 0;
  col = 0;
  /** The values already read from broadcast cells, by reader. */
  private readonly readValues = new Map<Reader<unknown>, unknown[]>();

  constructor(
    readonly shape: Shape,
    readonly grids: Readonly<Record<string, CellGrid<unknown>>>,
    readonly context: FunctionContext,
  ) {}

  raw(name: string): unknown {
    const grid = this.grids[name];
    return grid && cellAt(grid, this.row, this.col);
  }

  read<T>(name: string, read: Reader<T>): ReadResult<T> {
    const grid = this.grids[name];
    if (grid === undefined) return read(undefined);
    const { readValues } = this;
    const index = indexAt(grid, this.row, this.col);
    let values = readValues.get(read) as (ReadResult<T> | undefined)[] | undefined;
    if (values === undefined) readValues.set(read, (values = []));
    const value = values[index];
    return value === undefined ? (values[index] = read(grid.cells[index])) : value;
  }
}

/** Returns the value of a matrix of one; anything else unchanged. */
function unwrapped(value: readonly unknown[]): unknown {
  if (value.length !== 1) return value;
  const first = value[0];
  if (!Array.isArray(first)) return first;
  return first.length === 1 ? first[0] : value;
}

/** Turns all arguments into grids, because some are ranges. */
function broadcast(
  given: Record<string, unknown>,
  context: FunctionContext,
): SinglePlace | RangePlaces | InvError {
  const names = Object.keys(given);
  const grids: Record<string, CellGrid<unknown>> = {};
  trimWholeReferences(Object.values(given), isBlank).forEach(
    (value, index) => (grids[names[index] ?? ""] = toGrid(value)),
  );
  const shape = commonShape(grids);
  if (isInvError(shape)) return shape;
  if (shape !== onePlace) return new RangePlaces(shape, grids, context);
  for (const name of names) given[name] = grids[name]?.cells[0];
  return new SinglePlace(given, context);
}

/** Excel passes empty cells as "" or 0 (seen; null in some versions on the web). */
function isBlank(cell: unknown): boolean {
  return cell === "" || readNonBlank(cell, "") === null;
}

/** Reads an item from `store`, `item` and `item_type` (`gtin` by default). */
export function readItemQuery(place: PlaceArguments<"store" | "item" | "item_type">): ReadResult<ItemQuery> {
  const type = place.read("item_type", readItemType) ?? "gtin";
  const item = place.read("item", itemReaders[isRefusal(type) ? "gtin" : type]);
  const store = place.read("store", readStore);
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
      storeNumber: place.read("store", readStore),
      gtin: place.read("gtin", readGtin),
      eventType: place.read("event_type", readEventType),
      startDate: place.read("start_date", readStartDate),
      endDate: place.read("end_date", readEndDate),
      locationArea: place.read("location_area", readLocationArea),
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
