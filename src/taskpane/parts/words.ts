/** Times and costs in words, the same wherever the pane shows them. Times are local in the 24-hour format. */
import { count, counted } from "../../domain/number-words";
import type { Price } from "../../engine/types";
import type { Quote, QuotedScope } from "../../workbook/refresh/refresh";

const longestText = 60;

/** Returns a text from the sheet as a line of a list has room for it. */
export function shortened(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

export const scopeOptions = [
  { value: "selection", label: "Selected cells" },
  { value: "sheet", label: "This sheet" },
  { value: "workbook", label: "Whole workbook" },
] as const;

/** Returns a location area in the planner's words. An unknown area keeps the service's name. */
export function areaWords(area: string): string {
  return { STORE: "Shelf", BACKROOM: "Backroom", ALL: "Both" }[area] ?? area;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** Returns the local time of day, `14:03`. If the day isn't today, the date comes first. */
export function timeOfDay(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const time = `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
  if (new Date(nowMs).toDateString() === at.toDateString()) return time;
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())} ${time}`;
}

/** Returns the time zone of the pane's times at that moment: `UTC`, `UTC+2`, `UTC-3:30`. Sheets use UTC instead. */
export function zoneWords(atMs: number): string {
  const east = -new Date(atMs).getTimezoneOffset();
  if (east === 0) return "UTC";
  const size = Math.abs(east);
  const minutes = size % 60 === 0 ? "" : `:${twoDigits(size % 60)}`;
  return `UTC${east > 0 ? "+" : "-"}${Math.floor(size / 60)}${minutes}`;
}

/** Returns a duration in everyday words: `under 1 s`, `12 s`, `3 min`, `2 h 5 min`, `4 days`. */
export function duration(lengthMs: number): string {
  const seconds = Math.round(lengthMs / 1000);
  if (seconds < 1) return "under 1 s";
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return counted(Math.floor(hours / 24), "day");
}

export function estimate(lengthMs: number): string {
  const words = duration(lengthMs);
  return words.startsWith("under") ? words : `about ${words}`;
}

/**
 * Returns what work costs: `10 of 600 requests`, `at least 3 requests for histories`, or both. `limit` is the quota of a
 * minute; a higher cost is `1,240 requests at 600 a minute`.
 */
export function requestWords(price: Pick<Price, "searchCalls" | "eventCallsAtLeast">, limit: number): string {
  const { searchCalls, eventCallsAtLeast } = price;
  if (searchCalls === 0) return `at least ${counted(eventCallsAtLeast, "request")} for histories`;
  const requests =
    limit === 0
      ? counted(searchCalls, "request")
      : searchCalls <= limit
        ? `${count(searchCalls)} of ${counted(limit, "request")}`
        : `${counted(searchCalls, "request")} at ${count(limit)} a minute`;
  return eventCallsAtLeast === 0
    ? requests
    : `${requests} and at least ${count(eventCallsAtLeast)} for histories`;
}

/** Returns what something costs before it is built: `Uses 40 of 600 requests, about 12 s.` */
export function usesWords(
  price: Price,
  {
    limit,
    nowMs,
    isPartial,
    atMostWhole,
  }: {
    readonly limit: number;
    readonly nowMs: number;
    readonly isPartial: boolean;
    readonly atMostWhole: number;
  },
): string {
  if (price.searchCalls + price.eventCallsAtLeast === 0) {
    return isPartial ? "The cost can't be estimated." : "Uses no requests: INV has all values.";
  }
  const uses = `Uses ${isPartial ? "at least " : ""}${requestWords(price, limit)}`;
  const more = atMostWhole === 0 ? "" : ` ${wholeWords(atMostWhole)}`;
  return `${uses}, ${untilWords(price.durationMs, nowMs)}.${more}`;
}

/** Returns what sums of events may cost as well. An item without such events needs its whole history, to tell 0 from no data. */
function wholeWords(atMost: number): string {
  return `Up to ${counted(atMost, "more history", "more histories")}, for items without such events.`;
}

/** Returns `under 1 s` or `about 12 s`; from a minute on, `until about 14:05`. */
export function untilWords(durationMs: number, nowMs: number): string {
  return durationMs < 60_000 ? estimate(durationMs) : `until about ${timeOfDay(nowMs + durationMs, nowMs)}`;
}

const nothingFound: Readonly<Record<QuotedScope, (freshness: string) => string>> = {
  selection: () => "No INV formulas with a store and an item in this selection.",
  sheet: () => "No INV formulas with a store and an item on this sheet.",
  workbook: () => "No INV formulas with a store and an item in this workbook.",
  older: (freshness) => `Nothing to refresh: no value is older than ${freshness}.`,
};

/** Returns the cost of a refresh at a glance, such as `16 cells: 7 or 8 requests, under 1 s`, and what that omits. */
export function costWords(
  { scope, cells, unpredictable, hidden, price, grids, atMostWhole }: Quote,
  facts: { readonly limit: number; readonly nowMs: number; readonly freshnessMinutes: number },
): { readonly cost: string; readonly notes: readonly string[] } {
  const { limit, nowMs, freshnessMinutes } = facts;
  const requests = price.searchCalls + price.eventCallsAtLeast;
  const notes: string[] = [];
  if (hidden > 0) {
    notes.push(
      `${counted(hidden, "cell is in a hidden row", "cells are in hidden rows")}, and refreshed too.`,
    );
  }
  if (price.eventCallsAtLeast > 0) {
    notes.push(
      `At least ${counted(price.eventCallsAtLeast, "request")} for histories, which may have several pages.`,
    );
  }
  if (atMostWhole > 0) notes.push(wholeWords(atMostWhole));
  if (unpredictable > 0) {
    notes.push(
      `Not counted: ${counted(unpredictable, "INV function")} whose arguments Excel calculates first.`,
    );
  }
  if (requests > 0 && limit > 0) notes.push(`INV sends at most ${counted(limit, "request")} a minute.`);
  if (cells === 0) return { cost: nothingFound[scope](duration(freshnessMinutes * 60_000)), notes };
  const [grid] = grids;
  const cellsText =
    grid === undefined
      ? counted(cells, "cell")
      : cells === 1
        ? `Part of the grid in ${grid.address}, ${counted(grid.values, "value")}`
        : `${counted(cells, "cell")}, with the grid in ${grids.map(({ address }) => address).join(", ")}`;
  const number = rangeWords(requests, requests + atMostWhole);
  const least = unpredictable > 0 ? "at least " : "";
  if (requests > 0) {
    return { cost: `${cellsText}: ${least}${number}, ${untilWords(price.durationMs, nowMs)}`, notes };
  }
  return { cost: `${cellsText}: ${least === "" ? "no requests" : "few requests"}`, notes };
}

function rangeWords(min: number, max: number): string {
  if (min === max) return counted(min, "request");
  return `${count(min)} ${max === min + 1 ? "or" : "to"} ${counted(max, "request")}`;
}
