/**
 * What makes two history requests the same, and when one holds the other: pure functions of the query.
 * The service's default area is `STORE`, so a query that leaves it out equals one that says it; dates are
 * compared as they were given, since their defaults move with the day.
 */
import type { HistoryEvent, HistoryQuery } from "../../domain/records";
import type { HistoryAnswer } from "../answer";

/** Equal for queries with equal answers. */
export function historyKey(query: HistoryQuery): string {
  return `${wholeKey(query)}|${query.eventType ?? ""}`;
}

/** The key of the history of all event types that holds this one. */
export function wholeHistoryKey(query: HistoryQuery): string {
  return `${wholeKey(query)}|`;
}

/** The query for all event types that holds this one. */
export function wholeQuery(query: HistoryQuery): HistoryQuery {
  const whole: { -readonly [Field in keyof HistoryQuery]: HistoryQuery[Field] } = { ...query };
  delete whole.eventType;
  return whole;
}

/** Sorted by time. Events of one time keep their order; a service that lists the newest first is turned round. */
export function sortByTime(events: readonly HistoryEvent[]): readonly HistoryEvent[] {
  const first = events[0];
  const last = events[events.length - 1];
  const isNewestFirst = first !== undefined && last !== undefined && first.createdAtMs > last.createdAtMs;
  const inOrder = isNewestFirst ? [...events].reverse() : [...events];
  return inOrder.sort((a, b) => a.createdAtMs - b.createdAtMs);
}

/** The part of a whole history's answer that a query for one event type wants. */
export function partOf<A extends HistoryAnswer>(whole: A, eventType: string | undefined): A {
  if (!whole.found || eventType === undefined) return whole;
  return { ...whole, value: whole.value.filter((event) => event.eventType === eventType) };
}

function wholeKey({ storeNumber, gtin, startDate, endDate, locationArea }: HistoryQuery): string {
  return `${storeNumber}|${gtin}|${startDate ?? ""}|${endDate ?? ""}|${locationArea ?? "STORE"}`;
}
