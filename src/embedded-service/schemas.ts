/**
 * The service's own schemas of what comes in and what goes out. Requests are checked with them field by
 * field, and the OpenAPI document is generated from them, so the two cannot disagree. Written from the
 * service's document alone, apart from the client's, so that one mistake is not made twice.
 */
import { z } from "zod";

/** A store number in a JSON body: 2 to 6 digits, not negative. */
export const storeNumber = z
  .int()
  .min(10)
  .max(999_999)
  .meta({
    description: "Store number, 2 to 6 digits.",
    examples: [1234],
  });
/** The same in a query, where it is text. */
export const storeNumberText = z.string().regex(/^\d{2,6}$/);
export const itemType = z
  .enum(["gtin", "wm_item_number"])
  .describe("How the items are named: 14-digit GTINs, or item numbers.");
export const gtin = z
  .string()
  .regex(/^\d{14}$/)
  .meta({ description: "14-digit GTIN.", examples: ["00012345678905"] });
/** Documented as 9 digits, but the length check is not documented: other lengths are just not mapped. */
export const itemNumber = z
  .string()
  .regex(/^\d+$/)
  .meta({ description: "Item number, 9 digits.", examples: ["123456789"] });
/** The document's table, and the two that only its sample shows: the service's own list, apart from the client's. */
const eventCodes =
  "SALES RETURNS LR SI SILR BR SBC PI IL DS DA RA DO DR DV DP PR DX PCID CDV2 CDC NB LP POF".split(" ");
/** Anything else, a bare number, special characters or another letter case, is invalid. */
export const eventType = z
  .enum(eventCodes)
  .meta({ description: "Event code. All types unless given.", examples: ["SALES"] });
export const date = z.iso.date();
export const locationArea = z
  .enum(["STORE", "BACKROOM"])
  .describe("Location area, case sensitive. STORE unless given.");
export const maxValues = 100;

export const searchRequest = z.object({
  item_type: itemType,
  store_nbr: storeNumber,
  item_type_values: z
    .array(z.union([gtin, itemNumber]))
    .min(1)
    .max(maxValues)
    .meta({
      description: "1 to 100 values of the kind that item_type names.",
      examples: [["00012345678905", "00012345678912"]],
    }),
});

export const eventsQuery = z.object({
  store_nbr: storeNumber,
  gtin,
  event_type: eventType.optional(),
  start_date: date.optional().describe("First day (UTC), at most 6 days back. 6 days back unless given."),
  end_date: date.optional().describe("Last day (UTC). Today unless given."),
  location_area: locationArea.optional(),
  page_token: z.string().optional().describe("A next_page_token of the same query."),
});

export const tokenRequest = z.object({
  grant_type: z.literal("client_credentials"),
  client_id: z.string().describe("Client ID, also called consumer ID."),
  client_secret: z.string(),
});

export const tokenResponse = z.object({
  access_token: z.string().describe("Opaque. Bound to the consumer it was issued to."),
  token_type: z.literal("Bearer"),
  expires_in: z.int().describe("Seconds."),
});

export const tokenErrorBody = z.object({ error: z.string(), error_description: z.string() });

const utcTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
  .meta({ description: "UTC, without a zone suffix.", examples: ["2026-11-20T09:33:32"] });
const decimal = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .meta({ description: "A decimal number, as text.", examples: ["31"] });

const locationRecord = z.object({
  location_area: z.string().meta({ description: "STORE or BACKROOM.", examples: ["STORE"] }),
  state: z.string().meta({ description: "AVAILABLE or NET_AVAILABLE.", examples: ["AVAILABLE"] }),
  quantity: decimal,
});

const cidRecord = z.object({
  cid: z.int().describe("Consumer item identifier."),
  cross_references: z
    .array(z.object({ gtin: gtin.optional(), wm_item_number: itemNumber.optional(), quantity: decimal }))
    .describe(
      "Our own shape, as the document shows none: each item mapped to the CID that has data at the store, by what " +
        "is known of GTIN and item number, with its AVAILABLE quantity in the STORE area.",
    ),
});

export const itemRecord = z.union([
  z.object({
    gtin: gtin.optional().describe("Present when the item was requested by GTIN."),
    wm_item_number: itemNumber.optional().describe("Left out only where imported rows name no item number."),
    data_retrieval_status: z.literal("SUCCESS"),
    inventory_locations: z.array(locationRecord),
    cid_level_inventories: z.array(cidRecord),
    last_updated_time: utcTime,
  }),
  z.object({
    gtin: gtin.optional(),
    wm_item_number: itemNumber.optional(),
    data_retrieval_status: z.literal("ERROR"),
    reason: z.string(),
  }),
]);

export const searchResponse = z.object({
  supplier_name: z.string(),
  store_nbr: storeNumber,
  items: z.array(itemRecord).describe("One record per requested value, in the order of the request."),
});

export const eventRecord = z.object({
  event_type: z.string(),
  event_qty: decimal,
  event_creation_time: utcTime,
  aggregated_qty: decimal.describe("Inventory count of the location area after the event."),
});

export const eventsResponse = z.object({
  supplier_name: z.string(),
  store_nbr: storeNumber,
  gtin,
  event_history_item_details: z.array(eventRecord).describe("Oldest first."),
  next_page_token: z.string().nullable().describe("Null on the last page."),
});

export const problemBody = z.object({
  type: z.string(),
  title: z.string(),
  trace_id: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  errors: z
    .array(z.object({ code: z.string(), reason: z.string(), property: z.string(), location: z.string() }))
    .optional()
    .describe("Only with status 400."),
});

export const gatewayBody = z.object({
  details: z.object({
    Description: z.string(),
    "wm_svc.version": z.string(),
    "wm_svc.name": z.string(),
    "wm_svc.env": z.string(),
  }),
});

export type SearchResponse = z.infer<typeof searchResponse>;
export type EventsResponse = z.infer<typeof eventsResponse>;
export type ItemRecordBody = z.infer<typeof itemRecord>;
