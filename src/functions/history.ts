/**
 * The functions that make one value of a history. They ask for the same histories as INV.EVENTS, so the
 * engine shares one fetch among all of them. A sum is 0 where the service answered with a history that holds
 * no such event: no sales is a number. The time of an event that did not happen is #N/A.
 */
import { badArgument } from "../domain/bad-argument";
import { InvError } from "../domain/errors";
import type { HistoryEvent, HistoryQuery } from "../domain/records";
import type { HistoryAnswer } from "../engine/answer";
import type { Run } from "./calculate";
import { telling, type Call } from "./call";
import { fetchEvents, fetchEventsToAddUp } from "./event-answers";
import { withFirstAid } from "./first-aid";
import { ofEachPlace } from "./places";
import { timeFromMs, type Shown } from "./present";
import { historyQueries, singleHistoryQuery, type Asked, type HistoryOption } from "./queries";
import { isRefusal, refusalOf } from "./values";

/** EVENTQTY: the sum of the quantities of one event type. Types are never mixed: their signs are not documented. */
export const eventQuantities = ofEachHistory<
  "gtin" | "event_type" | "start_date" | "end_date" | "location_area"
>({
  check: oneTypeOnly,
  fetch: (query, call) => fetchEventsToAddUp(call, query),
  read(found) {
    let sum = 0;
    for (const { eventType, quantity } of found) {
      if (quantity === null) return refusalOf(unreadableQuantity(eventType));
      sum += quantity;
    }
    return sum;
  },
});

/** LASTEVENT: when the latest event happened. */
export const lastEventTimes = ofEachHistory<"gtin" | "event_type" | "location_area">({
  check: (query) => query,
  fetch: (query, call) => fetchEvents(call, query),
  read(found, query) {
    if (found.length === 0) return refusalOf(noEvents(query));
    let latestMs = -Infinity;
    for (const { createdAtMs } of found) latestMs = Math.max(latestMs, createdAtMs);
    return timeFromMs(latestMs);
  },
});

interface HistoryReading {
  check(query: Asked<HistoryQuery>): Asked<HistoryQuery>;
  fetch(query: HistoryQuery, call: Call): Promise<HistoryAnswer> | null;
  read(found: readonly HistoryEvent[], query: HistoryQuery): Shown;
}

function ofEachHistory<Name extends "gtin" | HistoryOption>({
  check,
  fetch,
  read,
}: HistoryReading): Run<Name | "gtin" | "store"> {
  return ofEachPlace<Name | "gtin", HistoryQuery, readonly HistoryEvent[]>({
    item: "gtin",
    single: (given, call) => check(singleHistoryQuery(given, call.session.now())),
    spread(grids, call) {
      const queryAt = historyQueries(grids, call.session.now());
      return (row, col) => check(queryAt(row, col));
    },
    ask: (query, call, waiter) => telling(waiter, fetch(query, call)),
    show: (answer, query) =>
      answer.found ? read(answer.value, query) : withFirstAid(refusalOf(answer.error), query),
  });
}

function oneTypeOnly(query: Asked<HistoryQuery>): Asked<HistoryQuery> {
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

/** Of an event whose quantity is missing or is no number: a sum without it would be a wrong number. */
export function unreadableQuantity(eventType: string): InvError {
  const message = `The service gave a quantity of a ${eventType.slice(0, 20)} event that is no number. Refresh; if it stays, tell support.`;
  return new InvError("bad-answer", message);
}
