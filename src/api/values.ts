/**
 * The single fields of an answer, made fit for a cell and a list or found to be unreadable: texts, identifiers,
 * quantities and times. What a whole answer means is its operation's.
 * Invariants: no text is longer than a line, or holds a control mark or a token; an identifier is never taken for a value
 * it might not mean; a quantity is a finite number or digits with an optional sign and fraction, and "" and null are never
 * read as 0, because a 0 in a planner's cell must mean that the service said 0.
 */
import type { ItemType } from "../domain/records";
import * as z from "../domain/zod";

// Texts. Whatever of an answer a person may see passes through here: reasons, trace ids, areas, states, event types,
// cross references. The refusal of a token is told in INV's own words.

/** Stands where a redacted text stood. */
export const redactionMark = "[redacted]";

const longestReason = 120;
/** Of a value whose shape is not known; a documented one would fit. */
const longestJson = 500;

/** Codes and identifiers: nothing in them to clean. Most texts of an answer are of this kind. */
const isCode = /^[\w-]{1,40}$/;

/** One line of at most 120 characters, unless told otherwise, or "" where there is no text. */
export function plainText(value: unknown, longest = longestReason): string {
  if (typeof value !== "string") return "";
  if (isCode.test(value)) return value;
  // Cut before cleaning too: a hostile reason may be megabytes.
  const line = withoutBearer(value.slice(0, 1000).replace(/[\p{C}\s]+/gu, " ")).trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** Any token in a text, also one that is not ours. */
function withoutBearer(text: string): string {
  return text.replace(/\b(bearer\s+)[\w.~+/=-]{8,}/giu, `$1${redactionMark}`);
}

/** A value of unknown shape as such a line: texts as they are, the rest as JSON. */
export function plainJson(value: unknown): string {
  if (typeof value === "string") return plainText(value);
  try {
    return plainText(JSON.stringify(value), longestJson);
  } catch {
    // Nested deeper than can be written, though it could be read.
    return "…";
  }
}

/** A reason to stand within a sentence: bounded, and without a full stop of its own. */
export function reasonText(value: unknown): string {
  const reason = plainText(value).slice(0, 60).replace(/\.$/, "");
  return reason === "" ? "no reason given" : reason;
}

/** For comparing with documented texts: letter case, outer blanks and a closing full stop do not matter. */
export function sameText(text: string, documented: string): boolean {
  return folded(text) === folded(documented);
}

/** True for HTML (and XML) in place of JSON. */
export function isWebPage(bodyText: string): boolean {
  return bodyText.trimStart().startsWith("<");
}

function folded(text: string): string {
  return plainText(text).toLowerCase().replace(/\.$/, "");
}

// Identifiers. Services and the JSON libraries between them turn identifiers into numbers and lose leading zeros, so they
// are compared without those; where two requested values differ in nothing else, only the exact spelling counts.

export const identifierSchema = z.union([z.string(), z.int()]);

/** An identifier in text form; "" where there is none. */
export function identifierText(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return Number.isSafeInteger(value) ? String(value) : "";
}

/** A GTIN in its 14 digits whatever it lost on the way; null where there is none. */
export function gtinText(value: unknown): string | null {
  const text = identifierText(value);
  if (text.length === 14) return text;
  if (text === "") return null;
  return /^\d+$/.test(text) ? text.padStart(14, "0") : text;
}

/** True when two spellings mean the same identifier. */
export function sameIdentifier(left: unknown, right: unknown): boolean {
  if (left === right && Number.isSafeInteger(left)) return true;
  const text = identifierText(left);
  return text !== "" && withoutLeadingZeros(text) === withoutLeadingZeros(identifierText(right));
}

export interface IdentifierIndex {
  /** Index of the requested value that the identifier stands for, or -1. */
  find(identifier: unknown): number;
}

/** Over the values of one request; of a value given twice the first index is found. */
export function createIdentifierIndex(values: readonly string[]): IdentifierIndex {
  const exact = new Map<string, number>();
  values.forEach((value, index) => {
    if (!exact.has(value)) exact.set(value, index);
  });
  // Made when one is spelled otherwise: most answers repeat what they were asked for.
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

/** What users call an item type. */
export function itemTypeName(itemType: ItemType): string {
  return itemType === "gtin" ? "GTIN" : "item number";
}

function withoutLeadingZeros(text: string): string {
  return text.replace(/^0+(?=\d)/, "");
}

// Quantities, declared as a double and rendered as a decimal string.

const decimal = /^-?\d+(\.\d+)?$/;

/** A quantity as a finite number. */
export const quantitySchema = z.pipe(
  z.union([
    z.number(),
    z.string().check(
      z.regex(decimal),
      z.refine((text) => Number.isFinite(Number(text))),
    ),
  ]),
  // Adding 0 makes 0 of -0, which would show as "-0" when it is joined to text.
  z.transform((quantity) => Number(quantity) + 0),
);

// Times: ISO, documented as UTC and shown without a zone suffix. A suffix, a fraction or a blank instead of the T are read
// too; a time without a zone is UTC, never local time.

const written =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** Milliseconds since 1970 UTC, or null where the text is not a time (31 February included). */
export function readUtcMs(value: unknown): number | null {
  if (typeof value !== "string") return null;
  const ms = readTime(value);
  return Number.isNaN(ms) ? null : ms;
}

function readTime(text: string): number {
  const parts = written.exec(text);
  if (parts === null) return NaN;
  const [, year, month, day, hour, minute, second = "0", fraction = "0", zone = "Z"] = parts;
  const time = timeMs(Number(hour), Number(minute), Number(second));
  const rest = Math.floor(Number(`0.${fraction}`) * 1000) - zoneOffsetMs(zone);
  return dayMs(Number(year), Number(month), Number(day)) + time + rest;
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
