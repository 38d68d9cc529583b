/**
 * From arguments to what the engine is asked: they are laid out over the shape they make together, and at each
 * place of it an item or a history is read from their cells; or a refusal, or nothing where store or item is blank.
 * Scalars are laid out as they are, a grid of one place. Invariant: every argument cell is read
 * once, however far it is broadcast over the result.
 */
import { parseLocationArea, parseItemType } from "../domain/choices";
import { checkHistoryDates, parseDate } from "../domain/dates";
import { type InvError, isInvError } from "../domain/errors";
import { parseEventType } from "../domain/event-types";
import { parseGtin, parseItemNumber, parseStoreNumber } from "../domain/identifiers";
import type { HistoryQuery, ItemQuery } from "../domain/records";
import {
  cellAt,
  cutEmptyEnds,
  fit,
  indexAt,
  isWholeColumn,
  onePlace,
  toGrid,
  trimWholeColumns,
  type CellGrid,
  type Shape,
} from "./grid";
import { isRefusal, reader, readFilled, refusalOf, type Read } from "./values";

/** Arguments by the names of the signature; what was left out is null or undefined. */
export type Arguments<Name extends string> = Readonly<Record<Name, unknown>>;

/** The arguments of a formula, seen from one place of its result after the other. */
export interface Cells<Name extends string> {
  readonly shape: Shape;
  /** The values themselves where the result is one place, else grids. */
  readonly given: Arguments<Name>;
  row: number;
  col: number;
  /** What was read of cells that are broadcast, by the argument's reader. */
  readonly known: Map<Reader<unknown>, unknown[]> | null;
}

type Reader<T> = (raw: unknown) => Read<T>;

/**
 * The arguments, laid out over their common shape, or the error that names two shapes that do not fit. In place,
 * since a copy would be a fifth of what a formula costs.
 */
export function layOut<Name extends string>(named: Arguments<Name>): Cells<Name> | InvError {
  const given: Record<string, unknown> = named;
  let isOne = true;
  for (const name in given) {
    given[name] = only(given[name]);
    if (Array.isArray(given[name])) isOne = false;
  }
  const shape = isOne ? onePlace : broadcast(given);
  if (isInvError(shape)) return shape;
  return { shape, given: named, row: 0, col: 0, known: shape === onePlace ? null : new Map() };
}

/** The value in a matrix of one; anything else as it is. */
function only(value: unknown): unknown {
  if (!Array.isArray(value) || value.length !== 1) return value;
  const first: unknown = value[0];
  if (!Array.isArray(first)) return first;
  return first.length === 1 ? first[0] : value;
}

/** Arguments among which there are ranges become grids. */
function broadcast(given: Record<string, unknown>): Shape | InvError {
  const names = Object.keys(given);
  const values = Object.values(given);
  const grids: Record<string, CellGrid<unknown>> = {};
  trimWholeColumns(
    cutEmptyEnds(values).map(toGrid),
    (cell) => readFilled(cell, "") === null,
    values.map(isWholeColumn),
  ).forEach((grid, index) => (grids[names[index] ?? ""] = grid));
  const shape = fit(grids);
  for (const name of names) given[name] = shape === onePlace ? grids[name]?.cells[0] : grids[name];
  return shape;
}

/** The cell of an argument at this place, as it was given. */
export function rawAt<Name extends string>({ shape, given, row, col }: Cells<Name>, name: Name): unknown {
  return shape === onePlace ? given[name] : cellAt(given[name] as CellGrid<unknown>, row, col);
}

/** The same, read. An argument that the function does not have is left out. */
export function readAt<Name extends string, T>(cells: Cells<Name>, name: Name, read: Reader<T>): Read<T> {
  const { known, given, row, col } = cells;
  const argument = given[name];
  if (known === null || argument === undefined) return read(argument);
  const grid = argument as CellGrid<unknown>;
  const index = indexAt(grid, row, col);
  let values = known.get(read) as (Read<T> | undefined)[] | undefined;
  if (values === undefined) known.set(read, (values = []));
  const value = values[index];
  return value === undefined ? (values[index] = read(grid.cells[index])) : value;
}

/** An item: of `store`, `item` and `item_type` (`gtin` unless given). */
export function itemQuery(cells: Cells<"store" | "item" | "item_type">): Read<ItemQuery> {
  const type = readAt(cells, "item_type", readItemType) ?? "gtin";
  const item = readAt(cells, "item", itemReaders[isRefusal(type) ? "gtin" : type]);
  const store = readAt(cells, "store", readStore);
  if (store === null || item === null) return null;
  if (isRefusal(store)) return store;
  if (isRefusal(type)) return type;
  return isRefusal(item) ? item : { storeNumber: store, itemType: type, value: item };
}

export type HistoryOption = "event_type" | "start_date" | "end_date" | "location_area";

/** A history; what is left out stays out. Which arguments there are differs by function. */
export function historyQuery(some: Cells<"store" | "gtin">, nowMs: number): Read<HistoryQuery> {
  const cells = some as Cells<"store" | "gtin" | HistoryOption>;
  return historyOf(
    {
      storeNumber: readAt(cells, "store", readStore),
      gtin: readAt(cells, "gtin", readGtin),
      eventType: readAt(cells, "event_type", readEventType),
      startDate: readAt(cells, "start_date", readStartDate),
      endDate: readAt(cells, "end_date", readEndDate),
      locationArea: readAt(cells, "location_area", readLocationArea),
    },
    nowMs,
  );
}

type ReadHistory = { readonly [Key in keyof Required<HistoryQuery>]: Read<Required<HistoryQuery>[Key]> };

function historyOf(read: ReadHistory, nowMs: number): Read<HistoryQuery> {
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
