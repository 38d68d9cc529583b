/**
 * The shapes of `POST /search-items` on the wire, as the document declares them, with what INV bears beside:
 * fields it does not know, quantities and identifiers as number or text, absent or null lists.
 * The answer's hot path is `item-record`, which decides exactly as the item schemas here do, only cheaper;
 * these say in words what is wrong once it has refused.
 */
import { identifierSchema, quantitySchema } from "./values";
import * as z from "../domain/zod";

export const searchBodySchema = z.object({
  item_type: z.enum(["gtin", "wm_item_number"]),
  store_nbr: z.int().check(z.minimum(10), z.maximum(999_999)),
  item_type_values: z.array(z.string()).check(z.minLength(1), z.maxLength(100)),
});

const locationSchema = z.looseObject({
  location_area: z.string(),
  state: z.string(),
  quantity: quantitySchema,
});

const cidLevelSchema = z.looseObject({
  cid: z.union([z.int(), z.string().check(z.regex(/^\d{1,15}$/))]),
  cross_references: z.nullish(z.array(z.unknown())),
});

const successItemSchema = z.looseObject({
  gtin: z.nullish(identifierSchema),
  wm_item_number: z.nullish(identifierSchema),
  data_retrieval_status: z.literal("SUCCESS"),
  inventory_locations: z.nullish(z.array(locationSchema)),
  cid_level_inventories: z.nullish(z.array(cidLevelSchema)),
  /** A time that cannot be read is as one that was not said; it spoils no quantity. */
  last_updated_time: z.optional(z.unknown()),
});

const errorItemSchema = z.looseObject({
  gtin: z.nullish(identifierSchema),
  wm_item_number: z.nullish(identifierSchema),
  data_retrieval_status: z.literal("ERROR"),
  reason: z.optional(z.unknown()),
});

export const itemSchema = z.discriminatedUnion("data_retrieval_status", [successItemSchema, errorItemSchema]);
