/**
 * Item numbers (`wm_item_number`): digits only. They are documented as 9 digits, but not how the service
 * checks the length, so other lengths are left to the service.
 */
import { badArgument, shown, type Plain } from "./bad-argument";
import { groupedDigits, wholeDigits } from "./clean-text";
import { findSlip, slipAdvice, type Slip } from "./digit-slips";
import type { InvError } from "./errors";

const longest = 32;

/** Why a value is no item number. */
export interface ItemNumberFinding {
  readonly fault: "too-long" | "not-digits" | Slip["fault"];
  /** A sentence that says what to do. */
  readonly advice: string;
  /** The digits that were probably meant, where that can be told. */
  readonly suggestion: string | null;
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
  if (digits === null) return findFault(input);
  if (withinLength(digits) !== null) return digits;
  const advice = `More than ${longest} digits: look the item number up again.`;
  return { fault: "too-long", advice, suggestion: null };
}

function withinLength(digits: string): string | null {
  return digits.length <= longest ? digits : null;
}

function findFault(input: Plain): ItemNumberFinding {
  const slip = findSlip(input, withinLength);
  if (slip !== null) return { ...slip, advice: slipAdvice(slip) };
  return { fault: "not-digits", advice: "Write its digits only, such as 123456789.", suggestion: null };
}
