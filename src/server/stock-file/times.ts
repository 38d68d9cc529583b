/**
 * Reads an export's times in the style that the person named. It never guesses, so 03/04/2026 can't mean
 * April in one row and March in another. A time without a zone is UTC. The service's times have whole
 * seconds. Years range from 2000 to 2099.
 */

export const timeStyles = ["iso", "dmy", "mdy", "excel"] as const;
export type TimeStyle = (typeof timeStyles)[number];

export const timeExamples: Readonly<Record<TimeStyle, string>> = {
  iso: "2026-11-20, 2026-11-20T05:58 or 2026-11-20 05:58:30, with or without Z or +01:00",
  dmy: "20.11.2026, 20/11/2026 or 20-11-2026, with or without 05:58 or 05:58:30",
  mdy: "11/20/2026, with or without 05:58, 5:58:30 or 5:58 PM",
  excel: "an Excel serial such as 46346.25",
};

const clock = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?`;
const patterns = {
  iso: new RegExp(`^(\\d{4})-(\\d{2})-(\\d{2})(?:[T ]${clock} ?(Z|[+-]\\d{2}:?\\d{2})?)?$`),
  dmy: new RegExp(`^(\\d{1,2})[./-](\\d{1,2})[./-](\\d{4})(?:,? ${clock})?$`),
  mdy: new RegExp(`^(\\d{1,2})[./-](\\d{1,2})[./-](\\d{4})(?:,? ${clock} ?([AaPp][Mm])?)?$`),
};
const secondMs = 1000;
const minuteMs = 60_000;
const dayMs = 86_400_000;
const serialOf1970 = 25_569;

/** Returns milliseconds since 1970 UTC, in whole seconds, or null if the text isn't a time of this style. */
export function readTime(text: string, style: TimeStyle): number | null {
  const trimmed = text.trim();
  if (style === "excel") return ofSerial(trimmed);
  const parts = patterns[style].exec(trimmed);
  if (parts === null) return null;
  const [, a = "", b = "", c = "", hours = "0", minutes = "0", seconds = "0", mark] = parts;
  const [year, month, day] = style === "iso" ? [a, b, c] : style === "dmy" ? [c, b, a] : [c, a, b];
  const hour = style === "mdy" && mark !== undefined ? hourOf(Number(hours), mark) : Number(hours);
  if (hour === null) return null;
  const ms = ofParts([year, month, day].map(Number), [hour, Number(minutes), Number(seconds)]);
  return ms === null || style !== "iso" ? ms : ms - offsetMs(mark);
}

function ofParts(date: readonly number[], time: readonly number[]): number | null {
  const [year = 0, month = 0, day = 0] = date;
  const [hour = 0, minute = 0, second = 0] = time;
  if (year < 2000 || year > 2099 || hour > 23 || minute > 59 || second > 59) return null;
  const midnight = new Date(Date.UTC(year, month - 1, day));
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return null;
  return midnight.getTime() + hour * 60 * minuteMs + minute * minuteMs + second * secondMs;
}

/** Converts the hour of a 12-hour clock. Returns null if the hour isn't 1 to 12. */
function hourOf(hour: number, mark: string): number | null {
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (/p/i.test(mark) ? 12 : 0);
}

function offsetMs(zone: string | undefined): number {
  if (zone === undefined || zone === "Z") return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * minuteMs;
}

function ofSerial(text: string): number | null {
  if (!/^\d{5}(\.\d{1,12})?$/.test(text)) return null;
  const ms = Math.round(((Number(text) - serialOf1970) * dayMs) / secondMs) * secondMs;
  const year = new Date(ms).getUTCFullYear();
  return year < 2000 || year > 2099 ? null : ms;
}
