/**
 * The inventory functions behind the catalogue: what each of them reads from an item's record. Asking is
 * shared by all, so QTY, UPDATED, STATUS and STOCK of one item cost one place in one call.
 */
import { allAreas, parseAreaChoice, parseState, type AreaChoice } from "../domain/choices";
import { InvError } from "../domain/errors";
import type { ItemQuery, ItemRecord } from "../domain/records";
import type { ItemAnswer } from "../engine/types";
import { evaluateGrid, overRanges, whenFound } from "./calculate";
import { askItem, askRecord, type Call } from "./call";
import { withFirstAid } from "./first-aid";
import { cellAt, mapGrid, type Grid } from "./grid";
import { timeFromMs, type Shown } from "./present";
import { itemQueries, type Layout } from "./queries";
import { isRefusal, reader, refusalOf, type Read } from "./values";

type ItemArgument = "store" | "item" | "item_type";

/** QTY: the quantity of an area and state. */
export const quantities = overRanges<ItemArgument | "location_area" | "state">((layout, call) => {
  const areas = mapGrid(layout.grids.location_area, readArea);
  const states = mapGrid(layout.grids.state, readState);
  return itemGrid(layout, call, {
    refusedBy: [areas, states],
    read: (answer, row, col) =>
      whenFound(answer, (record) => {
        const area = cellAt(areas, row, col) ?? "STORE";
        const wanted = cellAt(states, row, col) ?? "AVAILABLE";
        return isRefusal(area) || isRefusal(wanted) ? "" : quantityOf(record, area, wanted);
      }),
  });
});

/** UPDATED: when the service last updated the record. */
export const updateTimes = overRanges<ItemArgument>((layout, call) =>
  itemGrid(layout, call, { read: (answer) => whenFound(answer, updatedOf) }),
);

/** STATUS: `SUCCESS`, or the service's reason. */
export const statuses = overRanges<ItemArgument>((layout, call) =>
  itemGrid(layout, call, { read: (answer) => (answer.found ? "SUCCESS" : answer.error.message) }),
);

/** ASOF: when INV fetched the record. */
export const fetchTimes = overRanges<ItemArgument>((layout, call) => {
  const read = (answer: ItemAnswer): Shown => whenFound(answer, () => timeFromMs(answer.fetchedAtMs));
  return itemGrid(layout, call, { ask: (query) => askRecord(call, query), read });
});

/** The quantity of a state in an area, or in all areas together. */
function quantityOf(record: ItemRecord, area: AreaChoice, state: string): Shown {
  const byArea = new Map<string, number | null>();
  for (const location of record.locations) {
    if (location.state !== state || (area !== allAreas && location.locationArea !== area)) continue;
    const other = byArea.get(location.locationArea);
    const isSame = other === undefined || other === location.quantity;
    byArea.set(location.locationArea, isSame ? location.quantity : null);
  }
  if (byArea.size === 0) return refusalOf(noRecord(record, area, state));
  let sum = 0;
  for (const [name, quantity] of byArea) {
    if (quantity === null) return refusalOf(twoQuantities(name, state));
    sum += quantity;
  }
  return sum;
}

/** The error of an area and state for which the service gave two quantities. */
export function twoQuantities(area: string, state: string): InvError {
  return new InvError(
    "bad-answer",
    `The service gave two differing quantities for ${area}, ${state}. Refresh the cell later; tell the service's support if it stays.`,
  );
}

function noRecord(record: ItemRecord, area: AreaChoice, state: string): InvError {
  const others = record.locations.map((location) => `${location.locationArea} ${location.state}`);
  const there = others.length === 0 ? "none" : others.slice(0, 4).join(", ");
  const where = area === allAreas ? `any area, ${state}` : `${area}, ${state}`;
  return new InvError("no-record", `The service has no record for ${where} of this item. It has: ${there}.`);
}

function updatedOf(record: ItemRecord): Shown {
  if (record.lastUpdatedMs !== null) return timeFromMs(record.lastUpdatedMs);
  return refusalOf(
    new InvError(
      "no-record",
      "The service does not say when it last updated this item. INV.ASOF says when it was asked.",
    ),
  );
}

interface ItemGrid {
  /** Arguments that refuse a cell beside store, item and item type. */
  readonly refusedBy?: readonly Grid<Read<string>>[];
  readonly ask?: (query: ItemQuery) => Promise<ItemAnswer> | null;
  read(answer: ItemAnswer, row: number, col: number): Shown;
}

function itemGrid(
  { shape, grids }: Layout<ItemArgument>,
  call: Call,
  { refusedBy = [], ask = (query) => askItem(call, query), read }: ItemGrid,
): Promise<Shown[][]> {
  const queries = itemQueries(grids);
  return evaluateGrid(
    {
      shape,
      given: queries.given,
      ask(row, col) {
        const query = queries.query(row, col);
        if (query === null) return "";
        if (isRefusal(query)) return query;
        for (const grid of refusedBy) {
          const choice = cellAt(grid, row, col);
          if (isRefusal(choice)) return choice;
        }
        return ask(query);
      },
      read: (answer, row, col) =>
        withFirstAid(read(answer, row, col), answer.found ? null : queries.query(row, col)),
    },
    call,
  );
}

const readArea = reader("location_area", parseAreaChoice);
const readState = reader("state", parseState);
