/**
 * Times as the service writes them: ISO, documented as UTC and shown without a zone suffix. A suffix, a
 * fraction or a blank instead of the T are read too; a time without a zone is UTC, never local time.
 */

const written =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i;

const documentedLength = "YYYY-MM-DDTHH:MM:SS".length;

/** Milliseconds since 1970 UTC, or null where the text is not a time (31 February included). */
export function readUtcMs(value: unknown): number | null {
  if (typeof value !== "string") return null;
  const ms = value.length === documentedLength ? readDocumented(value) : readVaried(value);
  return Number.isNaN(ms) ? null : ms;
}

/** The documented form, digit by digit: it stands in every record, and the pattern costs ten times as much. */
function readDocumented(text: string): number {
  const isPunctuated =
    text[4] === "-" &&
    text[7] === "-" &&
    (text[10] === "T" || text[10] === " ") &&
    text[13] === ":" &&
    text[16] === ":";
  if (!isPunctuated) return readVaried(text);
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const time = timeMs(twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17));
  return dayMs(year, twoDigits(text, 5), twoDigits(text, 8)) + time;
}

function readVaried(text: string): number {
  const parts = written.exec(text);
  if (parts === null) return NaN;
  const [, year, month, day, hour, minute, second = "0", fraction = "0", zone = "Z"] = parts;
  const time = timeMs(Number(hour), Number(minute), Number(second));
  const rest = Math.floor(Number(`0.${fraction}`) * 1000) - zoneOffsetMs(zone);
  return dayMs(Number(year), Number(month), Number(day)) + time + rest;
}

/** The number that two digits make, or NaN. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

function dayMs(year: number, month: number, day: number): number {
  const ms = Date.UTC(year, month - 1, day);
  // Date.UTC rolls 31 February over into March, and takes the years 0 to 99 for 1900 to 1999.
  const isInMonth = month >= 1 && month <= 12 && day >= 1 && (day <= 28 || new Date(ms).getUTCDate() === day);
  return isInMonth && year >= 100 ? ms : NaN;
}

/** A leap second is let through as the first of the next minute. */
function timeMs(hour: number, minute: number, second: number): number {
  const isTime = hour <= 23 && minute <= 59 && second <= 60;
  return isTime ? ((hour * 60 + minute) * 60 + second) * 1000 : NaN;
}

function zoneOffsetMs(zone: string): number {
  if (zone === "Z" || zone === "z") return 0;
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0");
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return (zone.startsWith("-") ? -1 : 1) * minutes * 60_000;
}
