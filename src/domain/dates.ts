/**
 * Dates as Excel and the service write them: serial numbers (days since 1899-12-30, with the time as a fraction) and
 * `yyyy-mm-dd`. Serials are valid from 1900-03-01 on: before, Excel's calendar has a day that never existed.
 * All of INV's times are UTC. The document doesn't say in which time zone the service's "current date" is. So INV refuses a past
 * date only if it is outside the window in every time zone (down to UTC-12). East of UTC, TODAY() is a day ahead of the service in
 * the morning, so the day after the service's is the service's.
 */
import { badArgument, quotedValue, type PlainValue } from "./bad-argument";
import { cleanText } from "./clean-text";
import type { InvError } from "./errors";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const serialOf1970 = 25_569;
const firstSerial = 61;
const lastSerial = 2_958_465;
/** Days before the current date that the service keeps (documented). */
const windowDays = 6;

export function serialFromMs(ms: number): number {
  return ms / dayMs + serialOf1970;
}

/** Rounds to the nearest millisecond. */
export function msFromSerial(serial: number): number {
  return Math.round((serial - serialOf1970) * dayMs);
}

/** Returns `yyyy-mm-dd` in UTC. */
export function dateFromMs(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Returns `2026-11-20 14:02`, in UTC, as INV writes times into sheets and files. */
export function utcMinute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace("T", " ");
}

/**
 * Returns `yyyy-mm-dd` for an Excel date or such a text, with or without a time. Tomorrow in UTC is today.
 * @param nowMs today is also the example of the error: the service keeps seven days
 */
export function parseDate(input: PlainValue, argument: string, nowMs: number): string | InvError {
  const date = typeof input === "number" ? dateOfSerial(input) : dateOfText(String(input));
  if (date !== null) return date === dateFromMs(nowMs + dayMs) ? dateFromMs(nowMs) : date;
  return badArgument(argument, {
    expected: "an Excel date or yyyy-mm-dd text",
    received: quotedValue(input),
    todo: `Write it as ${dateFromMs(nowMs)} or point at a cell with a date.`,
  });
}

/** Returns an error if the dates are in the wrong order or outside the days that the service keeps; otherwise null. */
export function checkHistoryDates(
  dates: { readonly startDate?: string | undefined; readonly endDate?: string | undefined },
  nowMs: number,
): InvError | null {
  const { startDate, endDate } = dates;
  if (startDate !== undefined && endDate !== undefined && startDate > endDate) {
    return badArgument("start_date", {
      expected: "a date not after end_date",
      received: `"${startDate}" with end_date "${endDate}"`,
      todo: "Swap them or leave one out.",
    });
  }
  const window = {
    nowMs,
    earliest: dateFromMs(nowMs - 12 * hourMs - windowDays * dayMs),
    latest: dateFromMs(nowMs),
  };
  return outside(window, "start_date", startDate) ?? outside(window, "end_date", endDate);
}

/** Returns the first and the last day of which the service keeps events, in UTC. */
export function keptDays(nowMs: number): readonly [first: string, last: string] {
  return [dateFromMs(nowMs - windowDays * dayMs), dateFromMs(nowMs)];
}

interface DateWindow {
  readonly nowMs: number;
  readonly earliest: string;
  readonly latest: string;
}

function outside({ nowMs, earliest, latest }: DateWindow, argument: string, date?: string): InvError | null {
  if (date === undefined || (date >= earliest && date <= latest)) return null;
  return badArgument(argument, {
    expected: "one of the last 7 days, all the service keeps",
    received: `"${date}"`,
    todo: `Write ${keptDays(nowMs).join(" to ")} (UTC), not in the future, or leave it out.`,
  });
}

function dateOfSerial(serial: number): string | null {
  const day = Math.floor(serial);
  return day >= firstSerial && day <= lastSerial ? dateFromMs(msFromSerial(day)) : null;
}

function dateOfText(text: string): string | null {
  const date = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?$/.exec(
    cleanText(text),
  )?.[1];
  if (date === undefined) return null;
  const ms = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(ms) && dateFromMs(ms) === date ? date : null;
}
