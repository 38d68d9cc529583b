/**
 * Item numbers (`wm_item_number`): digits only. They are documented as 9 digits, but not how the service
 * checks the length, so other lengths are left to the service.
 */
import { badArgument, shown, type Plain } from "./bad-argument";
import { groupedDigits, wholeDigits } from "./clean-text";
import { findSlip, slipAdvice } from "./digit-slips";
import type { InvError } from "./errors";

const longest = 32;

/** The item number's digits as given, or a `bad-argument` error that names the argument. */
export function parseItemNumber(input: Plain, argument = "item"): string | InvError {
  const digits = typeof input === "number" ? wholeDigits(input) : groupedDigits(String(input));
  const itemNumber = digits === null ? null : withinLength(digits);
  if (itemNumber !== null) return itemNumber;
  return badArgument(argument, {
    expected: "an item number (wm_item_number), digits only",
    received: shown(input),
    todo: digits === null ? adviceFor(input) : `More than ${longest} digits: look the item number up again.`,
  });
}

function withinLength(digits: string): string | null {
  return digits.length <= longest ? digits : null;
}

function adviceFor(input: Plain): string {
  const slip = findSlip(input, withinLength);
  return slip === null ? "Write its digits only, such as 123456789." : slipAdvice(slip);
}
