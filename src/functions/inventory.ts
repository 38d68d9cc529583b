/**
 * The inventory functions behind the catalogue: what each of them reads from an item's record. Asking is
 * shared by all, so QTY, UPDATED, STATUS and STOCK of one item cost one place in one call.
 */
import { allAreas, parseAreaChoice, parseState, type AreaChoice } from "../domain/choices";
import { InvError } from "../domain/errors";
import type { ItemQuery, ItemRecord } from "../domain/records";
import type { ItemAnswer } from "../engine/answer";
import type { Run } from "./calculate";
import { askItem, askRecord } from "./call";
import { withFirstAid } from "./first-aid";
import { cellAt, mapGrid } from "./grid";
import { ofEachPlace } from "./places";
import { timeFromMs, type Shown } from "./present";
import { itemQueries, singleItemQuery, type Asked } from "./queries";
import { whenFound } from "./rule";
import { isRefusal, reader, refusalOf, type Read } from "./values";

/** QTY: the quantity of an area and state. */
export const quantities = ofEachPlace<ItemArgument | "location_area" | "state", QuantityQuestion, ItemRecord>(
  {
    item: "item",
    single: (given) =>
      quantityQuestion(singleItemQuery(given), readArea(given.location_area), readState(given.state)),
    spread(grids) {
      const queryAt = itemQueries(grids);
      const areas = mapGrid(grids.location_area, readArea);
      const states = mapGrid(grids.state, readState);
      return (row, col) =>
        quantityQuestion(queryAt(row, col), cellAt(areas, row, col), cellAt(states, row, col));
    },
    ask: (question, call, waiter) => askItem(call, question, waiter),
    show: (answer, question) =>
      answer.found
        ? quantityOf(answer.value, question.area, question.state)
        : withFirstAid(refusalOf(answer.error), question),
  },
);

/** UPDATED: when the service last updated the record. */
export const updateTimes = ofEachItem((answer) => whenFound(answer, updatedOf));

/** STATUS: `SUCCESS`, or the service's reason. */
export const statuses = ofEachItem((answer) => (answer.found ? "SUCCESS" : answer.error.message));

/** ASOF: when INV fetched the record. */
export const fetchTimes = ofEachItem(
  (answer) => whenFound(answer, () => timeFromMs(answer.fetchedAtMs)),
  askRecord,
);

type ItemArgument = "item" | "item_type";

/** One record for both, since a sheet asks 100,000. */
interface QuantityQuestion extends ItemQuery {
  readonly area: AreaChoice;
  readonly state: string;
}

function quantityQuestion(
  query: Asked<ItemQuery>,
  area: Read<AreaChoice>,
  state: Read<string>,
): Asked<QuantityQuestion> {
  if (query === null || isRefusal(query)) return query;
  if (isRefusal(area)) return area;
  if (isRefusal(state)) return state;
  const { storeNumber, itemType, value } = query;
  return { storeNumber, itemType, value, area: area ?? "STORE", state: state ?? "AVAILABLE" };
}

/** A function of store, item and item type alone. */
function ofEachItem(show: (answer: ItemAnswer) => Shown, ask = askItem): Run<ItemArgument | "store"> {
  return ofEachPlace<ItemArgument, ItemQuery, ItemRecord>({
    item: "item",
    single: singleItemQuery,
    spread: itemQueries,
    ask: (query, call, waiter) => ask(call, query, waiter),
    show: (answer, query) => (answer.found ? show(answer) : withFirstAid(show(answer), query)),
  });
}

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

const readArea = reader("location_area", parseAreaChoice);
const readState = reader("state", parseState);
