/**
 * The functions that make one value of a history. They ask for the same histories as INV.EVENTS, so the
 * engine shares one fetch among all of them. A sum is 0 where the service answered with a history that holds
 * no such event: no sales is a number. The time of an event that did not happen is #N/A.
 */
import { badArgument } from "../domain/bad-argument";
import { InvError } from "../domain/errors";
import type { HistoryEvent, HistoryQuery } from "../domain/records";
import { fetchEvents, fetchEventsToAddUp, telling } from "./asking";
import { timeFromMs, type Shown } from "./present";
import { historyQuery, type HistoryOption } from "./queries";
import { refusalOfNo, type AskingRule } from "./rule";
import { isRefusal, refusalOf, type Read } from "./values";

/** EVENTQTY: the sum of the quantities of one event type. Types are never mixed: their signs are not documented. */
export const eventQuantities: HistoryRule<HistoryOption> = {
  item: "gtin",
  question: (cells, { session }) => oneTypeOnly(historyQuery(cells, session.now())),
  ask: (query, formula, waiter) => telling(waiter, fetchEventsToAddUp(query, formula)),
  show: (answer, query) => (answer.found ? sumOf(answer.value) : refusalOfNo(answer.error, query)),
};

/** LASTEVENT: when the latest event happened. */
export const lastEventTimes: HistoryRule<"event_type" | "location_area"> = {
  item: "gtin",
  question: (cells, { session }) => historyQuery(cells, session.now()),
  ask: (query, formula, waiter) => telling(waiter, fetchEvents(query, formula)),
  show: (answer, query) => (answer.found ? latestOf(answer.value, query) : refusalOfNo(answer.error, query)),
};

type HistoryRule<Option extends HistoryOption> = AskingRule<
  "store" | "gtin" | Option,
  HistoryQuery,
  readonly HistoryEvent[]
>;

function sumOf(found: readonly HistoryEvent[]): Shown {
  let sum = 0;
  for (const { eventType, quantity } of found) {
    if (quantity === null) return refusalOf(unreadableQuantity(eventType));
    sum += quantity;
  }
  return sum;
}

function latestOf(found: readonly HistoryEvent[], query: HistoryQuery): Shown {
  if (found.length === 0) return refusalOf(noEvents(query));
  let latestMs = -Infinity;
  for (const { createdAtMs } of found) latestMs = Math.max(latestMs, createdAtMs);
  return timeFromMs(latestMs);
}

function oneTypeOnly(query: Read<HistoryQuery>): Read<HistoryQuery> {
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
