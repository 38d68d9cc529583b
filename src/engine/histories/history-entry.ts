/**
 * A history as an entry: its group is of the whole history, and its value an event type, "" for the whole. The whole
 * history's answer holds those of all event types.
 */
import type { HistoryEvent, HistoryQuery } from "../../domain/records";
import type { Answer } from "../answer";
import type { Entry, Group } from "../entry";

/** Of all pages, sorted by time. */
export type Events = readonly HistoryEvent[];
export type HistoryEntry = Entry<Events, HistoryQuery>;
export type HistoryGroup = Group<Events, HistoryQuery>;

export function isWholeHistory({ value }: HistoryEntry): boolean {
  return value === "";
}

export function queryOf({ group, value }: HistoryEntry): HistoryQuery {
  return value === "" ? group.of : { ...group.of, eventType: value };
}

/** Whether each part may be had on its own, although the whole history cannot be read. */
export function isUnreadableWhole(entry: HistoryEntry, { code }: { readonly code: string }): boolean {
  return isWholeHistory(entry) && (code === "bad-answer" || code === "too-large");
}

/** The part of a whole history's answer that this one of its group wants. */
export function partOf<A extends Answer<Events>>(whole: A, eventType: string): A {
  if (!whole.found || eventType === "") return whole;
  return { ...whole, value: whole.value.filter((event) => event.eventType === eventType) };
}
