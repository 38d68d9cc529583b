/**
 * What a call of the inventory lookup asks for, where it can be shared: a store, an item type, and values that
 * are each there once. Anything else (a field too many, a value twice, a number as text) is not ours to
 * understand: it goes to the service as it came.
 */
import { z } from "zod";

export interface SearchQuery {
  readonly itemType: "gtin" | "wm_item_number";
  readonly storeNumber: number;
  /** 1 to 100, each once, in the order of the call. */
  readonly values: readonly string[];
}

const bodySchema = z.strictObject({
  item_type: z.enum(["gtin", "wm_item_number"]),
  store_nbr: z.int().min(10).max(999_999),
  item_type_values: z
    .array(z.string().regex(/^\d{1,14}$/))
    .min(1)
    .max(100),
});

/** Null where the call cannot be shared. */
export function readSearchQuery(body: string): SearchQuery | null {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return null;
  }
  const parsed = bodySchema.safeParse(value);
  // A name given twice is read once, by others perhaps as the other one.
  if (!parsed.success || JSON.stringify(value) !== body) return null;
  const { item_type: itemType, store_nbr: storeNumber, item_type_values: values } = parsed.data;
  return new Set(values).size === values.length ? { itemType, storeNumber, values } : null;
}

export function writeSearchBody({ itemType, storeNumber, values }: SearchQuery): string {
  return JSON.stringify({ item_type: itemType, store_nbr: storeNumber, item_type_values: values });
}
