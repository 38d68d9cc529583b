/**
 * Which queries are equal, and which contain others. The service's default area is `STORE`, so a history without an area equals
 * one with `STORE`. Dates are compared as they were entered, because their defaults change every day.
 */
import type { HistoryQuery, ItemType, Query } from "./records";

/** Equal for items that fit in one request. */
export function groupKey(storeNumber: number, itemType: ItemType): number {
  return storeNumber * 2 + (itemType === "gtin" ? 0 : 1);
}

/** Equal for histories with equal answers. */
export function historyKey(query: HistoryQuery): string {
  return `${wholeHistoryKey(query)}${query.eventType ?? ""}`;
}

/** The key of the history of all event types that contains this one. */
export function wholeHistoryKey(query: HistoryQuery): string {
  const { storeNumber, gtin, startDate, endDate, locationArea } = query;
  return `${storeNumber}|${gtin}|${startDate ?? ""}|${endDate ?? ""}|${locationArea ?? "STORE"}|`;
}

/** Returns the query for all event types that contains this one. */
export function wholeQuery(query: HistoryQuery): HistoryQuery {
  const whole: { -readonly [Field in keyof HistoryQuery]: HistoryQuery[Field] } = { ...query };
  delete whole.eventType;
  return whole;
}

/** Returns the query for all days that the service keeps. */
export function undatedQuery(query: HistoryQuery): HistoryQuery {
  const undated: { -readonly [Field in keyof HistoryQuery]: HistoryQuery[Field] } = { ...query };
  delete undated.startDate;
  delete undated.endDate;
  return undated;
}

/** Equal for queries with equal answers. */
export function queryKey(query: Query): string {
  return isHistory(query)
    ? historyKey(query)
    : `${groupKey(query.storeNumber, query.itemType)}|${query.value}`;
}

export function isHistory(query: Query): query is HistoryQuery {
  return "gtin" in query;
}
