/**
 * Store numbers: a whole number of 2 to 6 digits (documented). Text is read too, with leading zeros and
 * spaces around; what is not plainly such a number is refused before any call.
 */
import { badArgument, shown, type Plain } from "./bad-argument";
import { cleanText } from "./clean-text";
import type { InvError } from "./errors";

const smallest = 10;
const largest = 999_999;

/** The store number, or a `bad-argument` error that names the argument `store`. */
export function parseStoreNumber(input: Plain): number | InvError {
  const value = typeof input === "string" ? numberOf(input) : input;
  if (typeof value === "number" && Number.isInteger(value) && value >= smallest && value <= largest) {
    return value;
  }
  return badArgument("store", {
    expected: "a store number of 2 to 6 digits",
    received: shown(input),
    todo: "Write its digits only, such as 1234.",
  });
}

function numberOf(text: string): number | null {
  const digits = cleanText(text);
  return /^\d{1,20}$/.test(digits) ? Number(digits) : null;
}
