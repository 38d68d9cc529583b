/**
 * The shapes of `GET /events` on the wire. The service's document declares the array of events under one name and shows it
 * under another, so INV reads both.
 */
import { identifierSchema, quantitySchema, readUtcMs } from "./values";
import * as z from "../domain/zod";

export const eventsQuerySchema = z.object({
  store_nbr: z.string().check(z.regex(/^\d{2,6}$/)),
  gtin: z.string().check(z.regex(/^\d{14}$/)),
  event_type: z.optional(z.string()),
  start_date: z.optional(z.iso.date()),
  end_date: z.optional(z.iso.date()),
  location_area: z.optional(z.enum(["STORE", "BACKROOM"])),
  page_token: z.optional(z.string()),
});

const unreadableAsNull = z.catch(z.nullable(quantitySchema), null);

const timeField = z.pipe(
  z.string(),
  z.transform((text, context) => {
    const ms = readUtcMs(text);
    if (ms !== null) return ms;
    context.issues.push({ code: "custom", message: "not a time", input: text });
    return z.NEVER;
  }),
);

const eventSchema = z.looseObject({
  event_type: z.string().check(z.minLength(1)),
  /** A quantity that can't be read affects only its own event. */
  event_qty: unreadableAsNull,
  event_creation_time: timeField,
  aggregated_qty: unreadableAsNull,
});

const eventListSchema = z.nullish(z.array(eventSchema));

export const historySchema = z
  .looseObject({
    store_nbr: z.nullish(identifierSchema),
    gtin: z.nullish(identifierSchema),
    event_history_item_details: eventListSchema,
    items: eventListSchema,
    /** Strict, because overlooking a token would cut the history short. */
    next_page_token: z.nullish(identifierSchema),
  })
  .check(z.refine((page) => Array.isArray(page.event_history_item_details ?? page.items)));
