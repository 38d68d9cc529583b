/**
 * Reads a cell's text as if it were typed: numbers, percentages, amounts, dates, TRUE and FALSE, and formulas that stay
 * inside the workbook. Unlike Excel, it keeps item codes: digits with a leading zero, or more than 15 digits, stay
 * text. A number format in the copy decides how the text is read. The text format keeps every character.
 */
import { reachingOut } from "../../formula/reaching-out";
import { readDate } from "./typed-dates";
import type { PastedCell } from "./pasted-table";
import { englishFormat, type LocaleFormat } from "./locale-format";

export const textFormat = "@";
/** A number keeps this many digits exactly. */
const mostDigits = 15;
const booleans: Readonly<Record<string, boolean>> = { TRUE: true, FALSE: false };

/** @param format Excel's code; null for General, undefined if unknown */
export function readTypedText(
  text: string,
  locale: LocaleFormat = englishFormat,
  format?: string | null,
): PastedCell {
  const given = format === undefined ? {} : { numberFormat: format };
  if (format === textFormat) return { value: text === "" ? null : text, ...given };
  const trimmed = text.trim();
  if (trimmed === "") return { value: null, ...given };
  if (/^=./.test(trimmed) && reachingOut(trimmed) === null) {
    return { value: null, formula: { text: trimmed, notation: "a1" }, ...given };
  }
  const boolean = booleans[trimmed.toUpperCase()];
  if (boolean !== undefined) return { value: boolean, ...given };
  if (isCutOff(trimmed, format)) return { value: text, isCutOff: true, ...given };
  const date = readDate(trimmed, locale, format ?? null);
  if (date !== null) return { value: date.serial, numberFormat: date.format };
  const { otherwise } = locale;
  const number =
    readNumber(trimmed, locale, format ?? null) ??
    (otherwise ? readNumber(trimmed, otherwise, format ?? null) : null);
  if (number !== null) return { value: number.value, ...formatOf(number.format, format) };
  return { value: text, ...given };
}

/** The number's own look counts if the copy names no format. */
function formatOf(own: string | null, given: string | null | undefined): Pick<PastedCell, "numberFormat"> {
  if (typeof given === "string") return { numberFormat: given };
  if (own !== null) return { numberFormat: own };
  return given === null ? { numberFormat: null } : {};
}

/** Programs copy a number as it is shown: as #### in a narrow column, or in E notation if it is long and General. */
function isCutOff(text: string, format: string | null | undefined): boolean {
  if (/^#{2,}$/.test(text)) return true;
  return format === null && /^-?\d[.,]\d+E\+\d{2,}$/.test(text);
}

function readNumber(
  text: string,
  { decimal, thousands }: LocaleFormat,
  format: string | null,
): { readonly value: number; readonly format: string | null } | null {
  // In accounting formats, (1,234.50) is negative and a single "-" is zero.
  if (format !== null && /^\D*-\D*$/.test(text) && /[#0?]/.test(format)) return { value: 0, format };
  const isBracketed = /\(.+\)/.test(text);
  const parts = /^([-+]?)\s*([$€£¥]?)\s*([-+]?)\s*([\d.,'\u00a0\u202f ]+?)(E[-+]?\d+)?\s*([$€£¥%]?)$/i.exec(
    isBracketed ? text.replace(/[()]/g, "").trim() : text,
  );
  if (parts === null) return null;
  const [, before = "", currency = "", after = "", digits = "", power = "", unit = ""] = parts;
  if (before !== "" && after !== "") return null;
  const plain = plainDigits(digits, decimal, thousands);
  if (plain === null) return null;
  const isBare = before === "" && after === "" && currency === "" && unit === "" && power === "";
  if (isBare && format === null && isIdentity(digits)) return null;
  const sign = isBracketed || before === "-" || after === "-" ? -1 : 1;
  const value = sign * Number(`${plain}${power}`) * (unit === "%" ? 0.01 : 1);
  if (!Number.isFinite(value)) return null;
  const exact = unit === "%" ? Number(value.toPrecision(mostDigits)) : value;
  return { value: exact, format: ownFormat({ plain, digits, thousands, currency: currency || unit }) };
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
  return /^0\d+$/.test(digits) || (/^\d+$/.test(digits) && digits.length > mostDigits);
}

function ownFormat(number: {
  readonly plain: string;
  readonly digits: string;
  readonly thousands: string;
  readonly currency: string;
}): string | null {
  const { plain, digits, thousands, currency } = number;
  const places = /^\d+$/.test(digits) ? 0 : (plain.split(".")[1]?.length ?? 0);
  const isGrouped = digits.includes(thousands);
  const decimals = isGrouped || currency !== "" ? fraction(places, plain) : "";
  if (currency === "%") return `0${decimals}%`;
  if (currency !== "") return `"${currency}"#,##0${decimals}`;
  return isGrouped ? `#,##0${decimals}` : null;
}

function fraction(places: number, plain: string): string {
  return places === 0 || plain.endsWith(".0") ? "" : `.${"0".repeat(places)}`;
}
