/**
 * The documented event codes of the transaction history. The service sends other codes too (`LP` and `POF` in its own sample), so
 * INV accepts unknown codes and gives them a blank meaning.
 */
import { badArgument, quotedValue, type PlainValue } from "./bad-argument";
import { cleanText } from "./clean-text";
import type { InvError } from "./errors";
import documented from "./event-types.json";
import { countTypos } from "./typos";

export interface EventType {
  readonly category: string;
  readonly code: string;
  readonly meaning: string;
}

/** In the order of the document. */
export const eventTypes: readonly EventType[] = Object.entries(documented).flatMap(([category, types]) =>
  Object.entries(types).map(([code, meaning]) => ({ category, code, meaning })),
);

const meanings = new Map(eventTypes.map(({ code, meaning }) => [code, meaning]));

const categories = new Map(eventTypes.map(({ code, category }) => [code, category]));

/** Returns "" for a code that isn't documented. */
export function categoryOf(code: string): string {
  return categories.get(code) ?? "";
}

/** Returns "" for a code that isn't documented. */
export function meaningOf(code: string): string {
  return meanings.get(code) ?? "";
}

/** Codes in the document's sample that its table, and so `eventTypes`, doesn't have. */
const sampleCodes: readonly string[] = ["LP", "POF"];

/** Returns whether the code is in the document, so that it is no typing error. */
export function isUsualEventType(code: string): boolean {
  return meanings.has(code) || sampleCodes.includes(code);
}

/** Returns the only documented code that one typing error turns into this code: `SALES` for `SALE`. */
export function similarEventType(code: string): string | null {
  const [only, ...others] = eventTypes
    .map((type) => type.code)
    // Two letters are too few to tell a typing error from another code.
    .filter((known) => known.length > 2 && countTypos(known, code) === 1);
  return only !== undefined && others.length === 0 ? only : null;
}

/** Returns the code in capitals, documented or not. The service refuses special characters and bare numbers. */
export function parseEventType(input: PlainValue): string | InvError {
  const code = cleanText(String(input)).toUpperCase();
  if (typeof input === "string" && /^[A-Z][A-Z0-9]{0,15}$/.test(code)) return code;
  return badArgument("event_type", {
    expected: "an event code such as SALES",
    received: quotedValue(input),
    todo: "=INV.EVENTTYPES() lists the codes.",
  });
}
