/**
 * Reads what a person types or pastes into a cell, by one small rule. A text is a number if it is one plain number as its locale
 * writes it; a date if it has a year of four digits in the locale's order, or is an ISO date; TRUE or FALSE; or a formula if it
 * begins with `=`. Everything else stays the text that it was: currencies, brackets, short years, times alone. Item codes stay text too:
 * digits with a leading zero, or more than 15 digits.
 */
import { serialFromMs } from "../../domain/dates";
import type { LocaleFormat } from "./locale-format";
import { readTypedFormula } from "./typed-formula";

export interface TypedCell {
  /** Null for a blank cell. */
  readonly value: string | number | boolean | null;
  readonly isFormula?: true;
  /** Excel's code, such as `#,##0.00`; absent if the text doesn't show one. */
  readonly numberFormat?: string;
}

/** A number keeps this many digits exactly. */
const maxDigits = 15;
/** Characters of a longer text aren't a number or a date. */
const longestNumber = 64;
const booleans: Readonly<Record<string, boolean>> = { TRUE: true, FALSE: false };

export function readTypedText(text: string, locale: LocaleFormat): TypedCell {
  const trimmed = text.trim();
  if (trimmed === "") return { value: null };
  if (/^=./.test(trimmed)) return { value: readTypedFormula(trimmed, locale), isFormula: true };
  const boolean = booleans[trimmed.toUpperCase()];
  if (boolean !== undefined) return { value: boolean };
  if (trimmed.length > longestNumber) return { value: text };
  const plain = trimmed
    .replace(/[\u061c\u200e\u200f]/g, "")
    .replace("\u2212", "-")
    .replace(/(?!\d)\p{Nd}/gu, (digit) => {
      const value = locale.digits.indexOf(digit);
      return value === -1 ? digit : String(value);
    });
  return readDate(plain, locale) ?? readNumber(plain, locale) ?? { value: text };
}

function readNumber(text: string, { number }: LocaleFormat): TypedCell | null {
  const parts = number.exec(text);
  if (parts === null) return null;
  const [, sign = "", whole = "", fraction = "", exponent = "0", percent] = parts;
  const digits = whole.replace(/\D/g, "");
  if (digits.length > maxDigits) return null;
  const power = Number(exponent) - (percent === undefined ? 0 : 2);
  const value = Number(`${sign}${digits}.${fraction || "0"}e${power}`);
  if (!Number.isFinite(value)) return null;
  const decimals = fraction === "" ? "" : `.${"0".repeat(fraction.length)}`;
  if (percent !== undefined) return { value, numberFormat: `0${decimals}%` };
  return digits !== whole ? { value, numberFormat: `#,##0${decimals}` } : { value };
}

const isoDate = { pattern: /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/, code: "yyyy-mm-dd" };
const secondsOfDay = 86_400;

/** A date, also with a time. "1-2" stays text: Excel destroys part numbers by reading them as dates. */
function readDate(text: string, locale: LocaleFormat): TypedCell | null {
  const [, date = "", time] = /^(.+?)(?:[T ](\d{1,2}:\d{2}(?::\d{2})?))?$/.exec(text) ?? [];
  for (const { pattern, code } of [isoDate, locale.date]) {
    const { year, month, day } = pattern.exec(date)?.groups ?? {};
    const ms = Date.UTC(Number(year), Number(month) - 1, Number(day));
    const [hours = 0, minutes = 0, seconds = 0] = time?.split(":").map(Number) ?? [];
    const isDay =
      new Date(ms).getUTCMonth() === Number(month) - 1 && new Date(ms).getUTCDate() === Number(day);
    if (!isDay || hours > 23 || minutes > 59 || seconds > 59) continue;
    const ofDay = (hours * 3_600 + minutes * 60 + seconds) / secondsOfDay;
    return { value: serialFromMs(ms) + ofDay, numberFormat: time === undefined ? code : `${code} hh:mm` };
  }
  return null;
}
