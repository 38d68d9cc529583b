/**
 * Quantities as the service writes them: declared as a double, rendered as a decimal string. A quantity is
 * a finite number or digits with an optional sign and fraction; "" and null are never read as 0, because
 * a 0 in a planner's cell must mean that the service said 0.
 */
import { z } from "./zod";

const decimal = /^-?\d+(\.\d+)?$/;

export const quantitySchema = z.union([
  z.number(),
  z.string().check(
    z.regex(decimal),
    z.refine((text) => Number.isFinite(Number(text))),
  ),
]);

/** The quantity as a finite number, or null where it cannot be read. Equal to `quantitySchema`, and cheap. */
export function readQuantity(value: unknown): number | null {
  if (typeof value === "string") {
    if (!decimal.test(value)) return null;
  } else if (typeof value !== "number") return null;
  const quantity = Number(value);
  if (!Number.isFinite(quantity)) return null;
  // -0 would show as "-0" when it is joined to text.
  return quantity === 0 ? 0 : quantity;
}
