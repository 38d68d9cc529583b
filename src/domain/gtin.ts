/**
 * GTINs as the service wants them: exactly 14 digits. Excel drops leading zeros, so 8 and 10 to 13
 * digits are padded; 9 digits are the length of an item number and refused with that hint. What is wrong
 * and what was probably meant is told by `gtin-first-aid`; here it becomes the text of an error.
 */
import { badArgument, shown, type Plain } from "./bad-argument";
import type { InvError } from "./errors";
import { diagnoseGtin, type GtinFinding } from "./gtin-first-aid";

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
