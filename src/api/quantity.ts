/**
 * Quantities as the service writes them: declared as a double, rendered as a decimal string. A quantity is
 * a finite number or digits with an optional sign and fraction; "" and null are never read as 0, because
 * a 0 in a planner's cell must mean that the service said 0.
 */
import * as z from "../domain/zod";

const decimal = /^-?\d+(\.\d+)?$/;

const minus = "-".charCodeAt(0);
const point = ".".charCodeAt(0);
const zero = "0".charCodeAt(0);
const nine = "9".charCodeAt(0);
const longestExact = 15;

export const quantitySchema = z.union([
  z.number(),
  z.string().check(
    z.regex(decimal),
    z.refine((text) => Number.isFinite(Number(text))),
  ),
]);

/** The quantity as a finite number, or null where it cannot be read. Equal to `quantitySchema`, and cheap. */
export function readQuantity(value: unknown): number | null {
  const quantity = typeof value === "string" ? readDecimal(value) : value;
  if (typeof quantity !== "number" || !Number.isFinite(quantity)) return null;
  // -0 would show as "-0" when it is joined to text.
  return quantity === 0 ? 0 : quantity;
}

/**
 * Digit by digit, since an answer holds hundreds. Up to 15 digits make a whole number that is exact, and one
 * division of it by a power of ten rounds as Number does; longer texts are left to Number.
 */
function readDecimal(text: string): number | null {
  const isNegative = text.charCodeAt(0) === minus;
  const start = isNegative ? 1 : 0;
  let digits = 0;
  let pointAt = -1;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= zero && code <= nine) digits = digits * 10 + (code - zero);
    else if (code === point && pointAt < 0 && at > start) pointAt = at;
    else return null;
  }
  if (text.length === start || pointAt === text.length - 1) return null;
  if (text.length > longestExact) return Number(text);
  const magnitude = pointAt < 0 ? digits : digits / 10 ** (text.length - 1 - pointAt);
  return isNegative ? -magnitude : magnitude;
}
