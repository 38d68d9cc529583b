/**
 * Reads the single fields of a response: texts, identifiers, quantities and times.
 * Invariants: a text is at most one line, without control characters or tokens. An identifier matches a requested value only if
 * it can't mean another. A quantity is a finite number, or digits with an optional sign and fraction. "" and null are never read
 * as 0, because a 0 in a cell must mean that the service said 0.
 */
import { isTooDeep } from "../domain/json";
import type { ItemType } from "../domain/records";
import * as z from "../domain/zod";

// Texts. Everything that a person may see of a response passes through here: reasons, trace ids, areas, states, event types,
// cross references. A refused token gets INV's own words.

/** Replaces redacted text. */
export const redactionMark = "[redacted]";

const maxReasonLength = 120;
/** Length of the longest text for a value with an unknown shape. Documented values are shorter. */
const maxJsonLength = 500;

/** Matches codes and identifiers, which need no cleaning. Most texts of a response are of this kind. */
const isCode = /^[\w-]{1,40}$/;

/** Returns one line of at most 120 characters (by default), or "" if the value isn't text. */
export function plainText(value: unknown, maxLength = maxReasonLength): string {
  if (typeof value !== "string") return "";
  if (isCode.test(value)) return value;
  // Also cuts before cleaning, because a hostile reason may have megabytes.
  const line = withoutBearer(value.slice(0, 1000).replace(/[\p{C}\s]+/gu, " ")).trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

/** Matches any token in a text, even one that isn't ours. */
function withoutBearer(text: string): string {
  return text.replace(/\b(bearer\s+)[\w.~+/=-]{8,}/giu, `$1${redactionMark}`);
}

/** Returns a value of unknown shape as one line: text unchanged, anything else as JSON. */
export function plainJson(value: unknown): string {
  if (typeof value === "string") return plainText(value);
  return isTooDeep(value) ? "…" : plainText(JSON.stringify(value), maxJsonLength);
}

/** Returns a received value for an error message: JSON of at most 40 characters. */
export function receivedText(value: unknown): string {
  if (value === undefined) return "nothing";
  const json = typeof value === "string" ? JSON.stringify(plainText(value)) : plainJson(value);
  return json.slice(0, 40);
}

/** Returns a reason that fits into a sentence: short, and without a full stop. */
export function reasonText(value: unknown): string {
  const reason = plainText(value).slice(0, 60).replace(/\.$/, "");
  return reason === "" ? "no reason given" : reason;
}

/** Compares a text with a documented one. Ignores letter case, outer blanks and a final full stop. */
export function sameText(text: string, documented: string): boolean {
  return normalized(text) === normalized(documented);
}

function normalized(text: string): string {
  return plainText(text).toLowerCase().replace(/\.$/, "");
}

/** Whether the text is HTML or XML. */
export function isWebPage(bodyText: string): boolean {
  return bodyText.trimStart().startsWith("<");
}

// Identifiers. Services and JSON libraries may turn identifiers into numbers and lose leading zeros, so these are ignored. If two
// requested values differ only in leading zeros, the exact spelling counts.

export const identifierSchema = z.union([z.string(), z.int()]);

/** Returns an identifier as text; "" if there is none. */
export function identifierText(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return Number.isSafeInteger(value) ? String(value) : "";
}

/** Returns the text of a response's GTIN. Digits get back the leading zeros of 14; anything else stays as it came. Null if there is none. */
export function gtinText(value: unknown): string | null {
  const text = identifierText(value);
  if (text.length === 14) return text;
  if (text === "") return null;
  return /^\d+$/.test(text) ? text.padStart(14, "0") : text;
}

/** Whether two spellings mean the same identifier. */
export function sameIdentifier(left: unknown, right: unknown): boolean {
  if (left === right && Number.isSafeInteger(left)) return true;
  const text = identifierText(left);
  return text !== "" && withoutLeadingZeros(text) === withoutLeadingZeros(identifierText(right));
}

export interface IdentifierIndex {
  /** Returns the index of the requested value that the identifier means, or -1. */
  find(identifier: unknown): number;
}

/** Creates an index over the values of one request. A value that occurs twice is found at its first index. */
export function createIdentifierIndex(values: readonly string[]): IdentifierIndex {
  const exact = new Map<string, number>();
  values.forEach((value, index) => {
    if (!exact.has(value)) exact.set(value, index);
  });
  // Created only if a spelling differs: most responses repeat the requested spelling.
  let loose: Map<string, number> | undefined;
  const bareIndex = (): Map<string, number> => {
    const index = new Map<string, number>();
    for (const [value, at] of exact) {
      const bare = withoutLeadingZeros(value);
      index.set(bare, index.has(bare) ? -1 : at);
    }
    return index;
  };
  return {
    find(identifier) {
      const text = identifierText(identifier);
      return exact.get(text) ?? (loose ??= bareIndex()).get(withoutLeadingZeros(text)) ?? -1;
    },
  };
}

/** Returns the users' word for an item type. */
export function itemTypeName(itemType: ItemType): string {
  return itemType === "gtin" ? "GTIN" : "item number";
}

function withoutLeadingZeros(text: string): string {
  return text.replace(/^0+(?=\d)/, "");
}

// Quantities: the service's document declares a double and shows a decimal string.

const decimal = /^-?\d+(\.\d+)?$/;

/** Reads a quantity as a finite number. */
export const quantitySchema = z.pipe(
  z.union([
    z.number(),
    z.string().check(
      z.regex(decimal),
      z.refine((text) => Number.isFinite(Number(text))),
    ),
  ]),
  // Adding 0 turns -0 into 0: joined to text, -0 would show as "-0".
  z.transform((quantity) => Number(quantity) + 0),
);

// Times: ISO, documented as UTC and shown without a zone. INV also reads a zone, a fraction, and a blank instead of the T. A
// time without a zone is UTC, never local time.

const isoTime =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** Returns milliseconds since 1970, UTC, or null if the text isn't a time (31 February, for example). */
export function readUtcMs(value: unknown): number | null {
  if (typeof value !== "string") return null;
  const ms = readTime(value);
  return Number.isNaN(ms) ? null : ms;
}

function readTime(text: string): number {
  const parts = isoTime.exec(text);
  if (parts === null) return NaN;
  const [, year, month, day, hour, minute, second = "0", fraction = "0", zone = "Z"] = parts;
  const time = timeMs(Number(hour), Number(minute), Number(second));
  const fractionMs = Math.floor(Number(`0.${fraction}`) * 1000);
  return dayMs(Number(year), Number(month), Number(day)) + time + fractionMs - zoneOffsetMs(zone);
}

function dayMs(year: number, month: number, day: number): number {
  const ms = Date.UTC(year, month - 1, day);
  // Date.UTC turns 31 February into a day in March, and the years 0 to 99 into 1900 to 1999.
  const isInMonth = month >= 1 && month <= 12 && day >= 1 && (day <= 28 || new Date(ms).getUTCDate() === day);
  return isInMonth && year >= 100 ? ms : NaN;
}

/** Accepts a leap second as the first second of the next minute. */
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
