/**
 * Store numbers: a whole number of 2 to 6 digits (documented). Text is read too, with leading zeros and
 * spaces around; what is not plainly such a number is refused before any call.
 */
import { badArgument, shown, type Plain } from "./bad-argument";
import { cleanText, wholeDigits } from "./clean-text";
import { findSlip, slipAdvice } from "./digit-slips";
import type { InvError } from "./errors";

const smallest = 10;
const largest = 999_999;
/** GTINs and item numbers have at least so many digits. */
const shortestItem = 8;

/** The store number, or a `bad-argument` error that names the argument `store`. */
export function parseStoreNumber(input: Plain): number | InvError {
  const value = typeof input === "string" ? numberOf(input) : input;
  if (isStoreNumber(value)) return value;
  return badArgument("store", {
    expected: "a store number of 2 to 6 digits",
    received: shown(input),
    todo: adviceFor(input),
  });
}

function numberOf(text: string): number | null {
  const digits = cleanText(text);
  return /^\d{1,20}$/.test(digits) ? Number(digits) : null;
}

function isStoreNumber(value: number | boolean | null): value is number {
  return Number.isInteger(value) && Number(value) >= smallest && Number(value) <= largest;
}

function adviceFor(input: Plain): string {
  const digits = typeof input === "number" ? wholeDigits(input) : cleanText(String(input));
  if (digits !== null && /^\d+$/.test(digits)) {
    if (digits.length < shortestItem) return "Look the store number up again.";
    return "It is as long as an item: the store comes first, then the item.";
  }
  const slip = findSlip(input, (meant) => (isStoreNumber(numberOf(meant)) ? String(Number(meant)) : null));
  return slip === null ? "Write its digits only, such as 1234." : slipAdvice(slip);
}
