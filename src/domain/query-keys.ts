/**
 * What makes two queries the same, and when one holds the other: pure functions of the query. The service's default
 * area is `STORE`, so a history that leaves it out equals one that says it; dates are compared as they were given,
 * since their defaults move with the day.
 */
import type { HistoryQuery, ItemType, Query } from "./records";

/** Equal for items that may travel in one call. */
export function groupKey(storeNumber: number, itemType: ItemType): number {
  return storeNumber * 2 + (itemType === "gtin" ? 0 : 1);
}

/** Equal for histories with equal answers. */
export function historyKey(query: HistoryQuery): string {
  return `${wholeHistoryKey(query)}${query.eventType ?? ""}`;
}

/** The key of the history of all event types that holds this one. */
export function wholeHistoryKey(query: HistoryQuery): string {
  const { storeNumber, gtin, startDate, endDate, locationArea } = query;
  return `${storeNumber}|${gtin}|${startDate ?? ""}|${endDate ?? ""}|${locationArea ?? "STORE"}|`;
}

/** The query for all event types that holds this one. */
export function wholeQuery(query: HistoryQuery): HistoryQuery {
  const whole: { -readonly [Field in keyof HistoryQuery]: HistoryQuery[Field] } = { ...query };
  delete whole.eventType;
  return whole;
}

/** Equal for queries of one store and item; items and histories apart. */
export function itemKey(query: Query): string {
  return isHistory(query)
    ? `history|${query.storeNumber}|${query.gtin}`
    : `${query.itemType}|${query.storeNumber}|${query.value}`;
}

export function isHistory(query: Query): query is HistoryQuery {
  return "gtin" in query;
}
