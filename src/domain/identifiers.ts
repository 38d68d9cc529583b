/**
 * Reads store numbers, GTINs and item numbers from cells. Refuses wrong ones before any request, with advice:
 * - A GTIN becomes exactly 14 digits, as the service wants it. Excel drops leading zeros, so 8 and 10 to 13 digits are padded; 9
 *   digits are an item number's length and are refused with that hint. `gtin-hints` says what is wrong with a GTIN.
 * - An item number (`wm_item_number`) has digits only. The documented length is 9, but the service's check of the length isn't
 *   documented, so the service decides about other lengths.
 * - A store number is a whole number of 2 to 6 digits (documented). Leading zeros and spaces around it are ignored.
 */
import { badArgument, errorForArgument, isErrorText, quotedValue, type PlainValue } from "./bad-argument";
import { cleanText, groupedDigits, isBlankInput, wholeDigits } from "./clean-text";
import { findDigitError } from "./digit-errors";
import type { InvError } from "./errors";
import { diagnoseGtin, type GtinFinding } from "./gtin-hints";

const longestItemNumber = 32;
const smallestStore = 10;
const largestStore = 999_999;
/** GTINs and item numbers have at least this many digits. */
const shortestItem = 8;

/** A cell of a list; null for an empty one. */
export type InputCell = PlainValue | null;

/** Reads a cell of a list as the functions read it as their store; null for a blank. */
export function readStore(cell: InputCell): number | InvError | null {
  return readCell(cell, "store", parseStoreNumber);
}

/** Reads a cell of a list as the functions read it as their item; null for a blank. */
export function readGtin(cell: InputCell): string | InvError | null {
  return readCell(cell, "item", parseGtin);
}

function readCell<T>(
  cell: InputCell,
  argument: string,
  parse: (value: PlainValue) => T | InvError,
): T | InvError | null {
  if (cell === null || isBlankInput(cell)) return null;
  return typeof cell === "string" && isErrorText(cell) ? errorForArgument(argument, cell) : parse(cell);
}

/** Returns 14 digits, or a `bad-argument` error that names the argument. */
export function parseGtin(input: PlainValue, argument = "item"): string | InvError {
  if (typeof input === "string" && /^\d{14}$/.test(input)) return input;
  const { gtin, findings } = diagnoseGtin(input);
  if (gtin !== null) return gtin;
  const refusal = findings.find(({ severity }) => severity === "refusal");
  return badArgument(argument, {
    expected: "a GTIN of 14 digits (8 or 10 to 13 are filled with zeros)",
    received: quotedValue(input),
    todo: adviceFor(argument, refusal),
  });
}

/** A function without an `item_type` argument needs other advice. */
function adviceFor(argument: string, refusal: GtinFinding | undefined): string {
  if (refusal?.fault === "nine-digits" && argument === "gtin") {
    return "Nine digits may be an item number: this function takes GTINs only.";
  }
  return refusal?.advice ?? "Write its digits only.";
}

/** Returns the digits as entered, or a `bad-argument` error that names the argument. */
export function parseItemNumber(input: PlainValue, argument = "item"): string | InvError {
  const digits = typeof input === "number" ? wholeDigits(input) : groupedDigits(String(input));
  if (digits !== null && isShortEnough(digits)) return digits;
  return badArgument(argument, {
    expected: "an item number (wm_item_number), digits only",
    received: quotedValue(input),
    todo:
      digits === null
        ? digitAdvice(input, { accepts: isShortEnough, example: "123456789" })
        : `More than ${longestItemNumber} digits: look the item number up again.`,
  });
}

function isShortEnough(digits: string): boolean {
  return digits.length <= longestItemNumber;
}

export function parseStoreNumber(input: PlainValue): number | InvError {
  const value = typeof input === "string" ? numberOf(input) : input;
  if (isStoreNumber(value)) return value;
  const digits = typeof input === "number" ? wholeDigits(input) : cleanText(String(input));
  return badArgument("store", {
    expected: "a store number of 2 to 6 digits",
    received: quotedValue(input),
    todo:
      digits === null || !/^\d+$/.test(digits)
        ? digitAdvice(input, { accepts: (each) => isStoreNumber(numberOf(each)), example: "1234" })
        : digits.length < shortestItem
          ? "Look the store number up again."
          : "It is as long as an item: the store comes first, then the item.",
  });
}

function numberOf(text: string): number | null {
  const digits = cleanText(text);
  return /^\d{1,20}$/.test(digits) ? Number(digits) : null;
}

function isStoreNumber(value: number | boolean | null): value is number {
  return Number.isInteger(value) && Number(value) >= smallestStore && Number(value) <= largestStore;
}

function digitAdvice(
  input: PlainValue,
  { accepts, example }: { readonly accepts: (digits: string) => boolean; readonly example: string },
): string {
  return findDigitError(input, accepts)?.advice ?? `Write its digits only, such as ${example}.`;
}
