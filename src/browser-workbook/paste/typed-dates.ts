/**
 * Reads unambiguous dates: 2026-11-20, 20.11.2026, and 11/20/2026 in the system's order, each also with a time.
 * "1-2" stays text: Excel destroys part numbers by reading them as dates.
 */
import { serialFromMs } from "../../domain/dates";
import type { LocaleFormat } from "./locale-format";

export interface TypedDate {
  readonly serial: number;
  readonly format: string;
}

const secondsOfDay = 86_400;

export function readDate(text: string, { dayFirst }: LocaleFormat): TypedDate | null {
  const [, date = "", time] = /^(\S+?)(?:[T ](\d{1,2}:\d{2}(?::\d{2})?))?$/.exec(text) ?? [];
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(date) ?? [];
  if (isoYear !== undefined) return dated([isoYear, isoMonth, isoDay], time, "yyyy-mm-dd");
  const [, first, mark = "", second, year] = /^(\d{1,2})([/.])(\d{1,2})\2(\d{4})$/.exec(date) ?? [];
  if (year === undefined) return null;
  // In dates with points, the day comes first everywhere.
  return dayFirst || mark === "."
    ? dated([year, second, first], time, `dd${mark}mm${mark}yyyy`)
    : dated([year, first, second], time, "m/d/yyyy");
}

/** Null for a day that doesn't exist. */
function dated(
  parts: readonly (string | undefined)[],
  time: string | undefined,
  format: string,
): TypedDate | null {
  const [year = NaN, month = NaN, day = NaN] = parts.map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const [hours = 0, minutes = 0, seconds = 0] = time?.split(":").map(Number) ?? [];
  return {
    serial: serialFromMs(date.getTime()) + (hours * 3_600 + minutes * 60 + seconds) / secondsOfDay,
    format: time === undefined ? format : `${format} hh:mm`,
  };
}
