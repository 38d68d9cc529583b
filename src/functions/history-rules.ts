/**
 * The functions that make one value of a history. They request the same histories as INV.EVENTS, so the engine shares one request. A
 * sum is 0 if the service answered with a history without such events, because no sales is a number. A mistyped event code is an
 * error, so that it doesn't look like a day without sales. The time of an event that didn't happen is #N/A.
 */
import { badArgument } from "../domain/bad-argument";
import { InvError } from "../domain/errors";
import { isUsualEventType, similarEventType } from "../domain/event-types";
import { undatedQuery, wholeQuery } from "../domain/query-keys";
import type { HistoryEvent, HistoryQuery } from "../domain/records";
import type { HistoryAnswer } from "../engine/types";
import { timeFromMs, type CellResult } from "./present";
import { readHistoryQuery, type HistoryOption } from "./queries";
import { noSuchValueRefusal, settleLater, type QueryRule, type Calculation } from "./rule";
import { isRefusal, refusalOf, type ReadResult } from "./argument-values";

/** EVENTQTY: the sum of the quantities of one event type. Types are never mixed: their signs are not documented. */
export const eventQuantities: HistoryRule<HistoryOption> = {
  itemArgument: "gtin",
  queryAt: (place) => oneTypeOnly(readHistoryQuery(place)),
  ask: (query, calculation, waiter) => settleLater(waiter, fetchEventsToAddUp(query, calculation)),
  show: (answer, query, calculation) =>
    answer.found ? sumOf(answer.value) : noSuchValueRefusal(answer.error, query, calculation),
};

/** LASTEVENT: when the latest event happened. */
export const lastEventTimes: HistoryRule<"event_type" | "location_area"> = {
  itemArgument: "gtin",
  queryAt: readHistoryQuery,
  ask: (query, calculation, waiter) => settleLater(waiter, fetchEvents(query, calculation)),
  show: (answer, query, calculation) =>
    answer.found ? latestOf(answer.value, query) : noSuchValueRefusal(answer.error, query, calculation),
};

type HistoryRule<Option extends HistoryOption> = QueryRule<
  "store" | "gtin" | Option,
  HistoryQuery,
  readonly HistoryEvent[]
>;

/**
 * Returns the events of a query; null in a preview without a cached answer. A code that is neither documented nor seen in an answer is
 * probably a typing error, and the result of a filter for it would depend on what is cached. So the whole history is requested
 * instead.
 */
export function fetchEvents(query: HistoryQuery, calculation: Calculation): Promise<HistoryAnswer> | null {
  const { eventType } = query;
  if (eventType === undefined) return fetchWhole(query, calculation);
  if (isKnown(calculation, eventType)) return fetchHistory(query, calculation);
  return (
    fetchWhole(query, calculation)?.then((whole) => {
      if (!isKnown(calculation, eventType)) throw unknownType(eventType);
      return eventsOf(whole, eventType);
    }) ?? null
  );
}

/**
 * Does the same for a sum. If the filter finds no event, the service may answer with the 404 of an item without any data. Then the
 * item's history of all days and types decides: if there is one, the sum is 0. It is requested only if no such history is cached.
 * It is a history of the same location area, because no request covers both. So the sum stays #N/A if the item has only events of the
 * other area: the service's 404 doesn't say which argument found nothing, and to ask for the other area would cost one more call for
 * every item without data.
 */
function fetchEventsToAddUp(query: HistoryQuery, calculation: Calculation): Promise<HistoryAnswer> | null {
  const { eventType } = query;
  const filtered = fetchEvents(query, calculation);
  if (filtered === null || eventType === undefined) return filtered;
  const { context, isPreview, report } = calculation;
  const { engine } = context;
  const whole = undatedQuery(wholeQuery(query));
  // Read before the answer arrives: a formula that begins during a cancel is cancelled too.
  const { cancelSignal } = engine;
  return filtered.then(async (filter) => {
    if (filter.found || filter.error.code !== "no-data") return filter;
    const { fetchedAtMs, staleBecause } = filter;
    const known = engine.cachedHistory(whole);
    if (known?.found === true) {
      return { found: true, value: [], fetchedAtMs, ...(staleBecause !== undefined && { staleBecause }) };
    }
    if (staleBecause !== undefined || (isPreview && known === undefined)) return filter;
    cancelSignal.throwIfAborted();
    // Not reported as a request of the cell: a refresh asks for the filter, and this history is known by then.
    const history = await engine.history(whole, report.address ?? undefined);
    if (!history.found) return history;
    noteTypes(calculation, history.value);
    // The days of the sum have no such event. Without days, the newer history counts.
    const isDated = query.startDate !== undefined || query.endDate !== undefined;
    return isDated ? { ...history, value: [] } : eventsOf(history, eventType);
  });
}

function fetchWhole(query: HistoryQuery, calculation: Calculation): Promise<HistoryAnswer> | null {
  return (
    fetchHistory(wholeQuery(query), calculation)?.then((answer) => {
      if (answer.found) noteTypes(calculation, answer.value);
      return answer;
    }) ?? null
  );
}

function fetchHistory(query: HistoryQuery, calculation: Calculation): Promise<HistoryAnswer> | null {
  const { context, report } = calculation;
  if (calculation.isPreview && !context.engine.isFresh(query)) return null;
  report.requests(query);
  return context.engine.history(query, report.address ?? undefined);
}

function eventsOf(whole: HistoryAnswer, eventType: string): HistoryAnswer {
  if (!whole.found) return whole;
  return { ...whole, value: whole.value.filter((event) => event.eventType === eventType) };
}

function isKnown({ context }: Calculation, eventType: string): boolean {
  return isUsualEventType(eventType) || context.eventTypesSeen.has(eventType);
}

function noteTypes({ context }: Calculation, events: readonly HistoryEvent[]): void {
  for (const { eventType } of events) context.eventTypesSeen.add(eventType);
}

function unknownType(eventType: string) {
  const similar = similarEventType(eventType);
  return badArgument("event_type", {
    expected: "an event code that is documented or that an answer contains",
    received: `"${eventType}"`,
    todo: similar === null ? "=INV.EVENTTYPES() lists the codes." : `Did you mean ${similar}?`,
  });
}

function sumOf(found: readonly HistoryEvent[]): CellResult {
  let sum = 0;
  for (const { eventType, quantity } of found) {
    if (quantity === null) return refusalOf(unreadableQuantity(eventType));
    sum += quantity;
  }
  return sum;
}

function latestOf(found: readonly HistoryEvent[], query: HistoryQuery): CellResult {
  if (found.length === 0) return refusalOf(noEvents(query));
  let latestMs = -Infinity;
  for (const { createdAtMs } of found) latestMs = Math.max(latestMs, createdAtMs);
  return timeFromMs(latestMs);
}

function oneTypeOnly(query: ReadResult<HistoryQuery>): ReadResult<HistoryQuery> {
  if (query === null || isRefusal(query) || query.eventType !== undefined) return query;
  return refusalOf(
    badArgument("event_type", {
      expected: "an event code such as SALES",
      received: "nothing",
      todo: "=INV.EVENTTYPES() lists the codes.",
    }),
  );
}

function noEvents({ eventType }: HistoryQuery): InvError {
  const what = eventType === undefined ? "events" : `${eventType} events`;
  return new InvError("no-events", `There are no ${what} in these dates and this location area.`);
}

/** The error for an event without a number as its quantity: a sum without it would be wrong. */
export function unreadableQuantity(eventType: string): InvError {
  const message = `The quantity of a ${eventType.slice(0, 20)} event isn't a number. Refresh. If it happens again, send your administrator the diagnostics (Settings tab).`;
  return new InvError("bad-answer", message);
}
