/**
 * How INV says that an argument is wrong: which one, what was expected, what was received, what to do.
 * What was received is always in double quotes, so that the activity list can tell "the same fault with
 * another value" from another fault. Invariant: a message stays under 200 characters.
 */
import { InvError } from "./errors";

/** A cell's value once data types are taken off: what a parser reads. Blank cells never reach a parser. */
export type Plain = string | number | boolean;

const longestMessage = 199;
const longestShown = 32;

/** The received value as a message shows it: in double quotes, TRUE and FALSE as Excel writes them, long ones cut. */
export function shown(received: Plain): string {
  const plain = typeof received === "boolean" ? String(received).toUpperCase() : String(received);
  const text = plain.replace(/\s+/gu, " ").replaceAll('"', "'");
  return `"${text.length > longestShown ? `${text.slice(0, longestShown - 1)}…` : text}"`;
}

/**
 * A `bad-argument` error.
 * @param argument the argument's name as the formula shows it, such as `store`
 * @param fault `expected` and `received` read after those words; `todo` is a whole sentence
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
