/**
 * The error of a wrong argument: which one, what INV expected, what it received, what to do. The received value is always in
 * double quotes, so that the problem list can group the same fault with different values. Invariant: a message has fewer
 * than 200 characters.
 */
import { InvError } from "./errors";

/** A cell's value without its data type. Parsers never get blank cells. */
export type PlainValue = string | number | boolean;

const longestMessage = 199;
const longestShown = 32;

const errorTexts = new Set("#N/A #DIV/0! #NUM! #NULL! #VALUE! #NAME? #REF! #SPILL! #CALC! #BUSY!".split(" "));

export function isErrorText(text: string): boolean {
  // Most texts are stores and items, so look at the first letter first.
  return text.startsWith("#") && errorTexts.has(text);
}

/**
 * An error of the sheet is a wrong argument: if a function returned it, IFNA around the function would turn a failed look-up of the item
 * into a quantity.
 */
export function errorForArgument(argument: string, errorText: string): InvError {
  const message = `The ${argument} is an error: ${errorText}. Correct the cell that it comes from.`;
  return new InvError("bad-argument", message);
}

/** Spells the received value for a message: in double quotes, TRUE and FALSE as Excel writes them, shortened. */
export function quotedValue(received: PlainValue): string {
  const plain = typeof received === "boolean" ? String(received).toUpperCase() : String(received);
  const text = plain.replace(/\s+/gu, " ").replaceAll('"', "'");
  return `"${text.length > longestShown ? `${text.slice(0, longestShown - 1)}…` : text}"`;
}

/**
 * @param argument the argument's name in the formula, such as `store`
 * @param fault `expected` and `received` complete a sentence with these words; `todo` is a whole sentence
 */
export function badArgument(
  argument: string,
  fault: { readonly expected: string; readonly received: string; readonly todo: string },
): InvError {
  const message = `${argument}: expected ${fault.expected}, received ${fault.received}. ${fault.todo}`;
  return new InvError(
    "bad-argument",
    message.length > longestMessage ? `${message.slice(0, longestMessage - 1)}…` : message,
  );
}
