/**
 * The inventory functions with one value for each place: what each of them requests, and what it reads from an item's record. All
 * request items in the same way, so QTY, UPDATED, STATUS and STOCK of one item share one entry in one call.
 */
import { allAreas, parseAreaChoice, parseState, type AreaChoice } from "../domain/choices";
import { utcMinute } from "../domain/dates";
import { InvError } from "../domain/errors";
import { type ItemQuery, type ItemRecord, type LocationRecord, unclearQuantity } from "../domain/records";
import type { ItemAnswer, Waiter } from "../engine/types";
import { timeFromMs, type CellResult } from "./present";
import { readItemQuery, type PlaceArguments } from "./queries";
import { noSuchValueRefusal, settleLater, type AskOutcome, type QueryRule, type Calculation } from "./rule";
import type { FunctionContext } from "./context";
import {
  isRefusal,
  createArgumentReader,
  readPlain,
  readYesNo,
  refusalOf,
  type ReadResult,
} from "./argument-values";

type ItemArgument = "store" | "item" | "item_type";
type QuantityArgument = ItemArgument | "location_area" | "state";

/** QTY: the quantity of an area and state. */
export const quantities: QueryRule<QuantityArgument, QuantityQuery, ItemRecord> = {
  itemArgument: "item",
  queryAt: readQuantityQuery,
  ask: askItem,
  show: (answer, query, calculation) =>
    answer.found
      ? quantityOf(answer.value, query.area, query.state)
      : noSuchValueRefusal(answer.error, query, calculation),
};

/** UPDATED: when the service last updated the record. */
export const updateTimes = ofEachItem({
  show: (answer, query, calculation) =>
    answer.found ? updatedOf(answer.value) : noSuchValueRefusal(answer.error, query, calculation),
});

/** STATUS: `SUCCESS` or the service's reason, and on demand since when there has been no answer. */
export const statuses: QueryRule<ItemArgument | "stale", StatusQuery, ItemRecord> = {
  itemArgument: "item",
  queryAt: readStatusQuery,
  ask: (query, calculation, waiter) => (query.showsAge ? askForAge : askItem)(query, calculation, waiter),
  show: (answer, query, calculation) =>
    query.showsAge ? statusWithAge(answer, query, calculation) : statusOf(answer),
};

/** ASOF: when INV fetched the record. */
export const fetchTimes = ofEachItem({
  ask: askUnlessCached,
  show: (answer, query, calculation) =>
    answer.found ? timeFromMs(answer.fetchedAtMs) : noSuchValueRefusal(answer.error, query, calculation),
});

/** Makes the rule of a function with only store, item and item type. */
function ofEachItem({
  ask = askItem,
  show,
}: {
  readonly ask?: typeof askItem;
  readonly show: QueryRule<ItemArgument, ItemQuery, ItemRecord>["show"];
}): QueryRule<ItemArgument, ItemQuery, ItemRecord> {
  return { itemArgument: "item", queryAt: readItemQuery, ask, show };
}

/** One object for query and choices, because a sheet has 100,000. */
interface QuantityQuery extends ItemQuery {
  readonly area: AreaChoice;
  readonly state: string;
}

function readQuantityQuery(place: PlaceArguments<QuantityArgument>): ReadResult<QuantityQuery> {
  const query = readItemQuery(place);
  if (query === null || isRefusal(query)) return query;
  const area = place.read("location_area", readArea);
  if (isRefusal(area)) return area;
  const state = place.read("state", readState);
  if (isRefusal(state)) return state;
  const { storeNumber, itemType, value } = query;
  return { storeNumber, itemType, value, area: area ?? "STORE", state: state ?? "AVAILABLE" };
}

interface StatusQuery extends ItemQuery {
  readonly showsAge: boolean;
}

function readStatusQuery(place: PlaceArguments<ItemArgument | "stale">): ReadResult<StatusQuery> {
  const query = readItemQuery(place);
  if (query === null || isRefusal(query)) return query;
  const showsAge = place.read("stale", readStale);
  if (isRefusal(showsAge)) return showsAge;
  const { storeNumber, itemType, value } = query;
  return { storeNumber, itemType, value, showsAge: showsAge ?? false };
}

function readStale(raw: unknown): ReadResult<boolean> {
  return readPlain(raw, "stale") === null ? null : readYesNo(raw, "stale");
}

function statusOf(answer: ItemAnswer): string {
  return answer.found ? "SUCCESS" : answer.error.message;
}

/**
 * Returns `SUCCESS, not answered since 2026-11-20 14:02 UTC` if the latest request for the item or its history had no answer. The
 * text has the date even on the same day, because people save and mail it.
 */
function statusWithAge(answer: ItemAnswer, query: ItemQuery, { context }: Calculation): string {
  const { engine } = context;
  const status = statusOf(answer);
  const { storeNumber, value: gtin } = query;
  if (answer.staleBecause !== undefined || engine.unanswered.because(query) !== null) {
    return `${status}, not answered since ${utcMinute(answer.fetchedAtMs)} UTC`;
  }
  const histories = query.itemType === "gtin" ? engine.unanswered.historiesOf({ storeNumber, gtin }) : [];
  if (histories.length === 0) return status;
  const times = histories.map((history) => engine.cachedHistory(history)?.fetchedAtMs ?? Infinity);
  const sinceMs = Math.min(...times);
  return `${status}, history not answered${sinceMs === Infinity ? "" : ` since ${utcMinute(sinceMs)} UTC`}`;
}

/** Returns the quantity of a state in an area, or the sum over all areas. */
function quantityOf(record: ItemRecord, area: AreaChoice, state: string): CellResult {
  let sum: number | null = null;
  let unplaced: LocationRecord | null = null;
  for (const location of record.locations) {
    const { locationArea, state: itsState, quantity } = location;
    // A blank area or state may be any.
    if (itsState !== state && itsState !== "") continue;
    if (area !== allAreas && locationArea !== area && locationArea !== "") continue;
    if (quantity !== null) sum = (sum ?? 0) + quantity;
    else if (area === allAreas || (locationArea !== "" && itsState !== "")) {
      return refusalOf(unclearQuantity(location));
    } else unplaced = location;
  }
  return sum ?? refusalOf(unplaced === null ? noRecord(record, area, state) : unclearQuantity(unplaced));
}

function noRecord(record: ItemRecord, area: AreaChoice, state: string): InvError {
  const others = record.locations.map((location) => `${location.locationArea} ${location.state}`);
  const there = others.length === 0 ? "none" : others.slice(0, 4).join(", ");
  const where = area === allAreas ? `any area, ${state}` : `${area}, ${state}`;
  return new InvError("no-record", `The service has no record for ${where} of this item. It has: ${there}.`);
}

function updatedOf(record: ItemRecord): CellResult {
  if (record.lastUpdatedMs !== null) return timeFromMs(record.lastUpdatedMs);
  if (record.lastUpdatedFault !== undefined) return refusalOf(unreadableTime(record.lastUpdatedFault));
  return refusalOf(
    new InvError(
      "no-record",
      "The service doesn't say when it last updated this item. INV.ASOF shows when INV fetched it.",
    ),
  );
}

/** The error of an update time that INV can't read. */
export function unreadableTime(fault: string): InvError {
  const message = `The service returned ${fault} for the last update. INV.ASOF shows when INV fetched the record.`;
  return new InvError("bad-answer", message);
}

export function askItem(
  query: ItemQuery,
  calculation: Calculation,
  waiter: Waiter<ItemRecord>,
): AskOutcome<ItemRecord> {
  const { context, report } = calculation;
  if (calculation.isPreview && !context.engine.isFresh(query)) return "preview";
  report.requests(query);
  return context.engine.requestItem(query, waiter, report.address ?? undefined) ?? "waits";
}

/** For ASOF: uses the cached record of an item, or else requests one. */
function askUnlessCached(
  query: ItemQuery,
  calculation: Calculation,
  waiter: Waiter<ItemRecord>,
): AskOutcome<ItemRecord> {
  const { context, report } = calculation;
  const { engine } = context;
  const cachedAnswer = engine.cachedItem(query);
  if (cachedAnswer === undefined) return askItem(query, calculation, waiter);
  report.requests(query);
  if (calculation.isPreview || engine.isFresh(query)) return cachedAnswer;
  const { cancelSignal } = engine;
  const fetched = isBusyAfterBurst(context).then((isBusy) =>
    isBusy && !cancelSignal.aborted ? engine.item(query, report.address ?? undefined) : cachedAnswer,
  );
  return settleLater(waiter, fetched);
}

/**
 * For an age cell (STATUS with its last argument): requests only items with neither a cached answer nor a recorded failure, so
 * that recalculating it after a refresh sends nothing. It waits for the requests of other cells in the same burst, so that it never shows an
 * older state than the value beside it.
 */
function askForAge(
  query: ItemQuery,
  calculation: Calculation,
  waiter: Waiter<ItemRecord>,
): AskOutcome<ItemRecord> {
  const { context, report } = calculation;
  const { engine } = context;
  const cachedAnswer = engine.cachedItem(query);
  if (calculation.isPreview) return cachedAnswer ?? "preview";
  report.showsAge(query);
  if (cachedAnswer !== undefined && engine.isFresh(query)) return cachedAnswer;
  const { cancelSignal } = engine;
  const fetched = isBusyAfterBurst(context).then(() => {
    const last = engine.cachedItem(query);
    if (last !== undefined && (cancelSignal.aborted || !engine.isComing(query))) return last;
    const because = engine.unanswered.because(query);
    if (because !== null && !engine.isComing(query)) throw because;
    cancelSignal.throwIfAborted();
    return engine.item(query, report.address ?? undefined);
  });
  return settleLater(waiter, fetched);
}

const bursts = new WeakMap<FunctionContext, Promise<boolean>>();

/**
 * After this burst of calculations, resolves to whether the engine still has work. If it has, ASOF requests a stale record again,
 * because the quantity beside it is probably fetched too and both must show the same record. Otherwise recalculating ASOF sends nothing.
 */
function isBusyAfterBurst(context: FunctionContext): Promise<boolean> {
  const shared = bursts.get(context);
  if (shared !== undefined) return shared;
  // Once per burst: microtasks run when the host's loop over its cells has ended.
  const isBusy = Promise.resolve().then(() => {
    bursts.delete(context);
    return context.engine.progress().busy;
  });
  bursts.set(context, isBusy);
  return isBusy;
}

const readArea = createArgumentReader("location_area", parseAreaChoice);
const readState = createArgumentReader("state", parseState);
