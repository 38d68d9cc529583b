/**
 * Times as the service writes them: ISO, documented as UTC and shown without a zone suffix. A suffix, a
 * fraction or a blank instead of the T are read too; a time without a zone is UTC, never local time.
 */

const written =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** Milliseconds since 1970 UTC, or null where the text is not a time (31 February included). */
export function readUtcMs(value: unknown): number | null {
  if (typeof value !== "string") return null;
  const parts = written.exec(value);
  if (parts === null) return null;
  const [, year, month, day, hour, minute, second = "0", fraction = "0", zone = "Z"] = parts;
  const dayMs = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const isCalendarDay =
    new Date(dayMs).getUTCDate() === Number(day) && Number(month) >= 1 && Number(month) <= 12;
  if (!isCalendarDay || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  const inDayMs = (Number(hour) * 60 + Number(minute)) * 60_000 + Number(second) * 1000;
  return dayMs + inDayMs + Math.floor(Number(`0.${fraction}`) * 1000) - zoneOffsetMs(zone);
}

function zoneOffsetMs(zone: string): number {
  if (zone === "Z" || zone === "z") return 0;
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0");
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return (zone.startsWith("-") ? -1 : 1) * minutes * 60_000;
}
