/**
 * Reads the body of `POST /search-items`: returns a checked request, or every wrong property. The codes are the document's, even where
 * they surprise: a missing property has the code `invalid-property-value` here (and `missing-required-property` on `/events`).
 */
import type { PropertyError } from "./answers";
import { gtin, itemNumber, itemType, maxValues, storeNumber } from "./schemas";

export interface SearchRequest {
  readonly itemType: "gtin" | "wm_item_number";
  readonly storeNumber: number;
  readonly values: readonly string[];
}

export type CheckedRequest<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly PropertyError[] };

/** @param body any JSON value; all three properties are missing from one that isn't an object */
export function readSearchRequest(body: unknown): CheckedRequest<SearchRequest> {
  const fields: Readonly<Record<string, unknown>> =
    typeof body === "object" && body !== null && !Array.isArray(body) ? { ...body } : {};
  const type = itemType.safeParse(fields.item_type);
  const store = storeNumber.safeParse(fields.store_nbr);
  const errors = [
    ...(type.success ? [] : [badProperty("item_type", fields.item_type)]),
    ...(store.success ? [] : [badStore(fields.store_nbr)]),
    ...checkValues(fields.item_type_values, type.data),
  ];
  if (errors.length > 0 || !type.success || !store.success) return { ok: false, errors };
  return {
    ok: true,
    // `checkValues` has checked that every element is a string.
    value: { itemType: type.data, storeNumber: store.data, values: fields.item_type_values as string[] },
  };
}

function badStore(value: unknown): PropertyError {
  // A whole number with too few or too many digits has a wrong length. Anything else is an invalid value.
  const isLength = typeof value === "number" && Number.isInteger(value) && value >= 0;
  return isLength
    ? { kind: "invalid-property-length", why: "length", property: `/store_nbr/${value}` }
    : badProperty("store_nbr", value);
}

function checkValues(values: unknown, type: "gtin" | "wm_item_number" | undefined): PropertyError[] {
  if (!Array.isArray(values)) return [badProperty("item_type_values", values)];
  if (values.length < 1 || values.length > maxValues) {
    const property = `/item_type_values/${values.length}`;
    return [{ kind: "invalid-property-length", why: "length", property }];
  }
  // Without a known type, name only values that are wrong for both types.
  const rule = type === "gtin" ? gtin : itemNumber;
  return values.flatMap((value: unknown, index) =>
    rule.safeParse(value).success ? [] : [badProperty(`item_type_values[${index}]`, value)],
  );
}

function badProperty(name: string, value: unknown): PropertyError {
  const missing = value === undefined || value === null;
  return {
    kind: "invalid-property-value",
    why: missing ? "missing" : "value",
    property: `/${name}/${missing ? "" : shown(value)}`,
  };
}

/** Lists and objects aren't repeated, because they may be nested without end. */
function shown(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return Array.isArray(value) ? "[list]" : "[object]";
}
