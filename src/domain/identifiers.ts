/**
 * What names a store and an item, read from what stands in a cell. Each is taken as it was given, or refused before any call
 * with what to do and, where that can be told, what was probably meant:
 * - GTINs, as the service wants them: exactly 14 digits. Excel drops leading zeros, so 8 and 10 to 13 digits are padded; 9 are
 *   the length of an item number and refused with that hint. `gtin-hints` tells what is wrong with one;
 * - item numbers (`wm_item_number`): digits only. They are documented as 9 digits, but not how the service checks the length,
 *   so other lengths are left to the service;
 * - store numbers: whole numbers of 2 to 6 digits (documented), with leading zeros and spaces around.
 */
import { badArgument, shown, type Plain } from "./bad-argument";
import { cleanText, groupedDigits, wholeDigits } from "./clean-text";
import { findInputError, adviceSentence, type InputError } from "./input-errors";
import type { InvError } from "./errors";
import { diagnoseGtin, type GtinFinding } from "./gtin-hints";

/** Why a value is no store number, or no item number. */
interface Finding<Fault> {
  readonly fault: Fault | InputError["fault"];
  /** A sentence that says what to do. */
  readonly advice: string;
  /** The digits that were probably meant, where that can be told. */
  readonly suggestion: string | null;
}

export type ItemNumberFinding = Finding<"too-long" | "not-digits">;
export type StoreFinding = Finding<"wrong-length" | "item-for-store" | "not-digits">;

const longestItemNumber = 32;
const smallestStore = 10;
const largestStore = 999_999;
/** GTINs and item numbers have at least so many digits. */
const shortestItem = 8;

/** The 14 digits of the GTIN, or a `bad-argument` error that names the argument. */
export function parseGtin(input: Plain, argument = "item"): string | InvError {
  if (typeof input === "string" && /^\d{14}$/.test(input)) return input;
  const { gtin, findings } = diagnoseGtin(input);
  if (gtin !== null) return gtin;
  const refusal = findings.find(({ severity }) => severity === "refusal");
  return badArgument(argument, {
    expected: "a GTIN of 14 digits (8 or 10 to 13 are filled with zeros)",
    received: shown(input),
    todo: adviceFor(argument, refusal),
  });
}

/** Where no item type can be given, the advice to give one would lead nowhere. */
function adviceFor(argument: string, refusal: GtinFinding | undefined): string {
  if (refusal?.fault === "nine-digits" && argument === "gtin") {
    return "Nine digits may be an item number: this function takes GTINs only.";
  }
  return refusal?.advice ?? "Write its digits only.";
}

/** The item number's digits as given, or a `bad-argument` error that names the argument. */
export function parseItemNumber(input: Plain, argument = "item"): string | InvError {
  const read = diagnoseItemNumber(input);
  if (typeof read === "string") return read;
  return badArgument(argument, {
    expected: "an item number (wm_item_number), digits only",
    received: shown(input),
    todo: read.advice,
  });
}

/** The item number's digits, or what is wrong with a value that should be one and what was probably meant. */
export function diagnoseItemNumber(input: Plain): string | ItemNumberFinding {
  const digits = typeof input === "number" ? wholeDigits(input) : groupedDigits(String(input));
  if (digits === null) return inputErrorIn(input, withinLength) ?? notDigits("123456789");
  if (withinLength(digits) !== null) return digits;
  const advice = `More than ${longestItemNumber} digits: look the item number up again.`;
  return { fault: "too-long", advice, suggestion: null };
}

function withinLength(digits: string): string | null {
  return digits.length <= longestItemNumber ? digits : null;
}

/** The store number, or a `bad-argument` error that names the argument `store`. */
export function parseStoreNumber(input: Plain): number | InvError {
  const read = diagnoseStore(input);
  if (typeof read === "number") return read;
  return badArgument("store", {
    expected: "a store number of 2 to 6 digits",
    received: shown(input),
    todo: read.advice,
  });
}

/** The store number, or what is wrong with a value that should be one and what was probably meant. */
export function diagnoseStore(input: Plain): number | StoreFinding {
  const value = typeof input === "string" ? numberOf(input) : input;
  if (isStoreNumber(value)) return value;
  const digits = typeof input === "number" ? wholeDigits(input) : cleanText(String(input));
  if (digits === null || !/^\d+$/.test(digits)) return inputErrorIn(input, storeDigits) ?? notDigits("1234");
  if (digits.length < shortestItem) {
    return { fault: "wrong-length", advice: "Look the store number up again.", suggestion: null };
  }
  const advice = "It is as long as an item: the store comes first, then the item.";
  return { fault: "item-for-store", advice, suggestion: null };
}

function numberOf(text: string): number | null {
  const digits = cleanText(text);
  return /^\d{1,20}$/.test(digits) ? Number(digits) : null;
}

function isStoreNumber(value: number | boolean | null): value is number {
  return Number.isInteger(value) && Number(value) >= smallestStore && Number(value) <= largestStore;
}

function storeDigits(meant: string): string | null {
  return isStoreNumber(numberOf(meant)) ? String(Number(meant)) : null;
}

function inputErrorIn(input: Plain, meant: (digits: string) => string | null): Finding<never> | null {
  const wrong = findInputError(input, meant);
  return wrong && { ...wrong, advice: adviceSentence(wrong) };
}

function notDigits(example: string): Finding<"not-digits"> {
  return { fault: "not-digits", advice: `Write its digits only, such as ${example}.`, suggestion: null };
}
