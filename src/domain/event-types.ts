/**
 * The event codes of the transaction history as documented: category, code, meaning. The service sends
 * codes outside the table too (`LP` and `POF` in its own sample), so unknown codes are passed on, with
 * a blank meaning, and never refused for being unknown.
 */
import { badArgument, shown, type Plain } from "./bad-argument";
import { cleanText } from "./clean-text";
import type { InvError } from "./errors";
import documented from "./event-types.json";

export interface EventType {
  readonly category: string;
  readonly code: string;
  readonly meaning: string;
}

/** All documented event types, in the order of the document. */
export const eventTypes: readonly EventType[] = Object.entries(documented).flatMap(([category, types]) =>
  Object.entries(types).map(([code, meaning]) => ({ category, code, meaning })),
);

const meanings = new Map(eventTypes.map(({ code, meaning }) => [code, meaning]));

const categories = new Map(eventTypes.map(({ code, category }) => [code, category]));

/** The category of a code; "" for a code that is not documented. */
export function categoryOf(code: string): string {
  return categories.get(code) ?? "";
}

/** What the code means; "" for a code that is not documented. */
export function meaningOf(code: string): string {
  return meanings.get(code) ?? "";
}

/** Codes that the service's own sample shows, outside its table. */
const shownInSample: readonly string[] = ["LP", "POF"];

/** Whether the service's document names the code, in its table or its sample. */
export function isDocumentedEventType(code: string): boolean {
  return meanings.has(code) || shownInSample.includes(code);
}

/** The one documented code that differs by a letter too many, too few or wrong: `SALES` for `SALE`. */
export function similarEventType(code: string): string | null {
  const similar = eventTypes.map((type) => type.code).filter((known) => differsByOne(known, code));
  return similar.length === 1 ? (similar[0] ?? null) : null;
}

function differsByOne(known: string, code: string): boolean {
  // Two letters are too few to tell a typing error from another code.
  if (known.length < 3 || Math.abs(known.length - code.length) > 1) return false;
  let same = 0;
  while (same < code.length && known[same] === code[same]) same++;
  const restOf = (word: string, longer: boolean): string => word.slice(longer ? same + 1 : same);
  return (
    known !== code && restOf(known, known.length >= code.length) === restOf(code, code.length >= known.length)
  );
}

/** An event code in capitals, documented or not; the service refuses special characters and bare numbers. */
export function parseEventType(input: Plain): string | InvError {
  const code = cleanText(String(input)).toUpperCase();
  if (typeof input === "string" && /^[A-Z][A-Z0-9]{0,15}$/.test(code)) return code;
  return badArgument("event_type", {
    expected: "an event code such as SALES",
    received: shown(input),
    todo: "=INV.EVENTTYPES() lists the codes.",
  });
}
