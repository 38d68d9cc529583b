/**
 * Reads dates and times as they are shown, by the number format in the copy. Without a format, it reads only
 * unambiguous dates: 2026-11-20, and 11/20/2026 in the system's order.
 * "1-2" stays text: Excel destroys part numbers by reading them as dates.
 */
import { serialFromMs } from "../../domain/dates";
import type { LocaleFormat } from "./locale-format";

export interface TypedDate {
  readonly serial: number;
  readonly format: string;
}

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const secondsOfDay = 86_400;
/** Two-digit years below this are in the 2000s, as in Excel. */
const centuryTurn = 30;

export function readDate(text: string, locale: LocaleFormat, format: string | null): TypedDate | null {
  if (format !== null) {
    const serial = isDateFormat(format) ? byFormat(text, format, locale) : null;
    return serial === null ? null : { serial, format };
  }
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}:\d{2}(?::\d{2})?))?$/.exec(text);
  if (iso !== null) {
    const [, year, month, day, time] = iso;
    return dated([year, month, day], time, "yyyy-mm-dd");
  }
  const slashed = /^(\d{1,2})([/.])(\d{1,2})\2(\d{4})(?: (\d{1,2}:\d{2}(?::\d{2})?))?$/.exec(text);
  if (slashed === null) return null;
  const [, first, mark = "/", second, year, time] = slashed;
  return locale.dayFirst
    ? dated([year, second, first], time, `dd${mark}mm${mark}yyyy`)
    : dated([year, first, second], time, `m${mark}d${mark}yyyy`);
}

type Parts = readonly (string | undefined)[];

function dated(parts: Parts, time: string | undefined, format: string): TypedDate | null {
  const days = serialOfDay(parts.map(Number));
  const fraction = time === undefined ? 0 : timeOfDay(time);
  if (days === null || fraction === null) return null;
  return { serial: days + fraction, format: time === undefined ? format : `${format} hh:mm` };
}

/** True for a code that shows a date or a time and has no digits of a plain number. */
function isDateFormat(format: string): boolean {
  const bare = format.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, "").split(";")[0] ?? "";
  return /[ymdhs]/i.test(bare) && !/[#?]/.test(bare) && !/0/.test(bare.replace(/s\.0+/i, ""));
}

/** Each part of the format gives the meaning of the part of the text at the same position. */
function byFormat(text: string, format: string, locale: LocaleFormat): number | null {
  const time = timeOfDay(/\d{1,2}:\d{2}(:\d{2})?(\.\d+)?( ?[AP]M)?/i.exec(text)?.[0] ?? "");
  const bare =
    format
      .replace(/"[^"]*"|\[[^\]]*\]/g, "")
      .replace(/\\/g, "")
      .split(";")[0] ?? "";
  const order = (bare.replace(/h+.*?(?=[dy]|$)/i, "").match(/y+|m+|d+/gi) ?? [])
    .filter((part) => !/^d{3,}$/i.test(part))
    .map((part) => part.charAt(0).toLowerCase());
  if (order.length === 0) return time;
  const dayText = text.replace(/\d{1,2}:\d{2}.*$/, "");
  const words = dayText.match(/\d+|[a-z]{3,}/gi) ?? [];
  const found = words.filter((word) => /^\d/.test(word) || months.includes(word.slice(0, 3).toLowerCase()));
  if (found.length !== order.length) return null;
  // Excel shows m/d/yyyy in its system's order; in dates with points, the day comes first everywhere.
  if (format.startsWith("m/d/yyyy") && (locale.dayFirst || dayText.includes("."))) {
    order.splice(0, 2, "d", "m");
  }
  const valueOf = (letter: string) => {
    const word = found[order.indexOf(letter)];
    return word === undefined ? undefined : /^\d/.test(word) ? Number(word) : monthOf(word);
  };
  const days = serialOfDay([yearOf(valueOf("y")), valueOf("m") ?? NaN, valueOf("d") ?? 1]);
  return days === null ? null : days + (time ?? 0);
}

function monthOf(word: string): number {
  return months.indexOf(word.slice(0, 3).toLowerCase()) + 1;
}

function yearOf(year: number | undefined): number {
  if (year === undefined) return NaN;
  return year >= 100 ? year : year + (year < centuryTurn ? 2000 : 1900);
}

/** Null for a day that doesn't exist. */
function serialOfDay([year = NaN, month = NaN, day = NaN]: readonly number[]): number | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? serialFromMs(date.getTime()) : null;
}

/** A fraction of a day; null if the text is not a time. */
function timeOfDay(text: string): number | null {
  const parts = /^(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?(?: ?([AP])M)?$/i.exec(text);
  if (parts === null) return null;
  const [, hours, minutes, seconds = "0", half] = parts;
  const hour =
    half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toUpperCase() === "P" ? 12 : 0);
  return (hour * 3600 + Number(minutes) * 60 + Number(seconds)) / secondsOfDay;
}
