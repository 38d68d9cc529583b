/**
 * Reads what a person types or pastes into a cell: numbers, percentages, amounts, dates, TRUE and FALSE, and formulas.
 * Unlike Excel, it keeps item codes: digits with a leading zero, or more than 15 digits,
 * stay text.
 */
import { serialFromMs } from "../../domain/dates";
import { englishFormat, type LocaleFormat } from "./locale-format";
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
/** Characters of a longer text aren't a number, an amount or a date. */
const longestNumber = 64;
const booleans: Readonly<Record<string, boolean>> = { TRUE: true, FALSE: false };

export function readTypedText(text: string, locale: LocaleFormat = englishFormat): TypedCell {
  const trimmed = text.trim();
  if (trimmed === "") return { value: null };
  if (/^=./.test(trimmed)) return { value: readTypedFormula(trimmed, locale), isFormula: true };
  const boolean = booleans[trimmed.toUpperCase()];
  if (boolean !== undefined) return { value: boolean };
  if (trimmed.length > longestNumber) return { value: text };
  const date = readDate(trimmed, locale);
  if (date !== null) return { value: date.serial, numberFormat: date.format };
  const { otherwise } = locale;
  return readNumber(trimmed, locale) ?? (otherwise && readNumber(trimmed, otherwise)) ?? { value: text };
}

function readNumber(text: string, { decimal, thousands }: LocaleFormat): TypedCell | null {
  // Around the whole number: "12(3)" and "(555)1234567" are text.
  const isBracketed = /^[$€£¥]?\s*\([^()]+\)\s*[$€£¥%]?$/.test(text);
  const parts = /^([-+]?)\s*([$€£¥]?)\s*([-+]?)\s*([\d.,'\u00a0\u202f ]+?)(E[-+]?\d+)?\s*([$€£¥%]?)$/i.exec(
    isBracketed ? text.replace(/[()]/g, "").trim() : text,
  );
  if (parts === null) return null;
  const [, before = "", currency = "", after = "", digits = "", power = "", unit = ""] = parts;
  if (before !== "" && after !== "") return null;
  const plain = plainDigits(digits, decimal, thousands);
  if (plain === null) return null;
  const isBare = before === "" && after === "" && currency === "" && unit === "" && power === "";
  if (isBare && isIdentity(digits)) return null;
  const sign = isBracketed || before === "-" || after === "-" ? -1 : 1;
  const value = sign * Number(`${plain}${power}`) * (unit === "%" ? 0.01 : 1);
  if (!Number.isFinite(value)) return null;
  const numberFormat = formatOf({ plain, digits, thousands, currency, unit });
  return {
    value: unit === "%" ? Number(value.toPrecision(maxDigits)) : value,
    ...(numberFormat === null ? {} : { numberFormat }),
  };
}

/** Digits with a decimal point and without separators; null if the separators are in the wrong places. */
function plainDigits(digits: string, decimal: string, thousands: string): string | null {
  const [whole = "", fraction, ...more] = digits.split(decimal);
  if (more.length > 0 || (fraction !== undefined && !/^\d*$/.test(fraction))) return null;
  const groups = whole.split(
    thousands === "\u00a0" || thousands === "\u202f" ? /[\u00a0\u202f ]/ : thousands,
  );
  const [first = "", ...others] = groups;
  if (!/^\d*$/.test(first) || others.some((group) => !/^\d{3}$/.test(group))) return null;
  if (others.length > 0 && (first.length < 1 || first.length > 3)) return null;
  const joined = groups.join("");
  return joined === "" && (fraction ?? "") === "" ? null : `${joined || "0"}.${fraction ?? "0"}`;
}

/** GTINs and other item codes. */
function isIdentity(digits: string): boolean {
  return /^0\d+$/.test(digits) || (/^\d+$/.test(digits) && digits.length > maxDigits);
}

function formatOf(number: {
  readonly plain: string;
  readonly digits: string;
  readonly thousands: string;
  /** Before the number. */
  readonly currency: string;
  /** After the number: a currency or a percent sign. */
  readonly unit: string;
}): string | null {
  const { plain, digits, thousands, currency, unit } = number;
  const places = /^\d+$/.test(digits) ? 0 : (plain.split(".")[1]?.length ?? 0);
  const isGrouped = digits.includes(thousands);
  const decimals = isGrouped || currency + unit !== "" ? fraction(places, plain) : "";
  if (unit === "%") return `0${decimals}%`;
  if (currency !== "") return `"${currency}"#,##0${decimals}`;
  if (unit !== "") return `#,##0${decimals} "${unit}"`;
  return isGrouped ? `#,##0${decimals}` : null;
}

function fraction(places: number, plain: string): string {
  return places === 0 || plain.endsWith(".0") ? "" : `.${"0".repeat(places)}`;
}

interface TypedDate {
  readonly serial: number;
  readonly format: string;
}

const secondsOfDay = 86_400;

/**
 * Reads unambiguous dates: 2026-11-20, 20.11.2026, and 11/20/2026 in the system's order, each also with a time. "1-2" stays text:
 * Excel destroys part numbers by reading them as dates.
 */
function readDate(text: string, { dayFirst }: LocaleFormat): TypedDate | null {
  const [, date = "", time] = /^(\S+?)(?:[T ](\d{1,2}:\d{2}(?::\d{2})?))?$/.exec(text) ?? [];
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(date) ?? [];
  if (isoYear !== undefined) return dated([isoYear, isoMonth, isoDay], time, "yyyy-mm-dd");
  const [, first, separator = "", second, year] = /^(\d{1,2})([/.])(\d{1,2})\2(\d{4})$/.exec(date) ?? [];
  if (year === undefined) return null;
  // In dates with points, the day comes first everywhere.
  return dayFirst || separator === "."
    ? dated([year, second, first], time, `dd${separator}mm${separator}yyyy`)
    : dated([year, first, second], time, "m/d/yyyy");
}

/** Null for a day or a time that doesn't exist. */
function dated(
  parts: readonly (string | undefined)[],
  time: string | undefined,
  format: string,
): TypedDate | null {
  const [year = NaN, month = NaN, day = NaN] = parts.map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const [hours = 0, minutes = 0, seconds = 0] = time?.split(":").map(Number) ?? [];
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  return {
    serial: serialFromMs(date.getTime()) + (hours * 3_600 + minutes * 60 + seconds) / secondsOfDay,
    format: time === undefined ? format : `${format} hh:mm`,
  };
}
