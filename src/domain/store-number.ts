/**
 * Store numbers: a whole number of 2 to 6 digits (documented). Text is read too, with leading zeros and
 * spaces around; what is not plainly such a number is refused before any call.
 */
import { badArgument, shown, type Plain } from "./bad-argument";
import { cleanText, wholeDigits } from "./clean-text";
import { findSlip, slipAdvice, type Slip } from "./digit-slips";
import type { InvError } from "./errors";

const smallest = 10;
const largest = 999_999;
/** GTINs and item numbers have at least so many digits. */
const shortestItem = 8;

export type StoreFault = "wrong-length" | "item-for-store" | "not-digits" | Slip["fault"];

/** Why a value is no store number. */
export interface StoreFinding {
  readonly fault: StoreFault;
  /** A sentence that says what to do. */
  readonly advice: string;
  /** The digits that were probably meant, where that can be told. */
  readonly suggestion: string | null;
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
  return isStoreNumber(value) ? value : findFault(input);
}

function numberOf(text: string): number | null {
  const digits = cleanText(text);
  return /^\d{1,20}$/.test(digits) ? Number(digits) : null;
}

function isStoreNumber(value: number | boolean | null): value is number {
  return Number.isInteger(value) && Number(value) >= smallest && Number(value) <= largest;
}

function findFault(input: Plain): StoreFinding {
  const digits = typeof input === "number" ? wholeDigits(input) : cleanText(String(input));
  if (digits !== null && /^\d+$/.test(digits)) {
    if (digits.length < shortestItem) {
      return { fault: "wrong-length", advice: "Look the store number up again.", suggestion: null };
    }
    const advice = "It is as long as an item: the store comes first, then the item.";
    return { fault: "item-for-store", advice, suggestion: null };
  }
  const slip = findSlip(input, (meant) => (isStoreNumber(numberOf(meant)) ? String(Number(meant)) : null));
  if (slip !== null) return { ...slip, advice: slipAdvice(slip) };
  return { fault: "not-digits", advice: "Write its digits only, such as 1234.", suggestion: null };
}
