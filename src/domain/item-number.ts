/**
 * Item numbers (`wm_item_number`): digits only. They are documented as 9 digits, but not how the service
 * checks the length, so other lengths are left to the service.
 */
import { badArgument, shown, type Plain } from "./bad-argument";
import { groupedDigits, wholeDigits } from "./clean-text";
import type { InvError } from "./errors";

const longest = 32;

/** The item number's digits as given, or a `bad-argument` error that names the argument. */
export function parseItemNumber(input: Plain, argument = "item"): string | InvError {
  const digits = typeof input === "string" ? groupedDigits(input) : wholeDigitsOf(input);
  if (digits !== null && digits.length <= longest) return digits;
  return badArgument(argument, {
    expected: "an item number (wm_item_number), digits only",
    received: shown(input),
    todo: "Write its digits only, such as 123456789.",
  });
}

function wholeDigitsOf(input: number | boolean): string | null {
  return typeof input === "number" ? wholeDigits(input) : null;
}
