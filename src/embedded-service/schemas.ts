/**
 * The service's own schemas of requests and responses. Requests are checked with them field by field, and the OpenAPI document is
 * generated from them. They are written from the service's document, apart from the client's, so that one mistake isn't made twice.
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
/** A store number in a query. */
export const storeNumberText = z.string().regex(/^\d{2,6}$/);
export const itemType = z
  .enum(["gtin", "wm_item_number"])
  .describe("How the items are named: 14-digit GTINs, or item numbers.");
export const gtin = z
  .string()
  .regex(/^\d{14}$/)
  .meta({ description: "14-digit GTIN.", examples: ["00012345678905"] });
/** The documented length is 9, but its check isn't documented, so items with other lengths are just not mapped. */
export const itemNumber = z
  .string()
  .regex(/^\d+$/)
  .meta({ description: "Item number, 9 digits.", examples: ["123456789"] });
/** The codes of the document's table, and two that only its sample shows. This list is separate from the client's. */
const eventCodes =
  "SALES RETURNS LR SI SILR BR SBC PI IL DS DA RA DO DR DV DP PR DX PCID CDV2 CDC NB LP POF".split(" ");
/** Any other text is invalid, also in another letter case. */
export const eventType = z
  .enum(eventCodes)
  .meta({ description: "Event code. Default: all types.", examples: ["SALES"] });
export const date = z.iso.date();
export const locationArea = z
  .enum(["STORE", "BACKROOM"])
  .describe("Location area, case sensitive. Default: STORE.");
export const maxValues = 100;

export const searchRequest = z.object({
  item_type: itemType,
  store_nbr: storeNumber,
  item_type_values: z
    .array(z.union([gtin, itemNumber]))
    .min(1)
    .max(maxValues)
    .meta({
      description: "1 to 100 values of the type in item_type.",
      examples: [["00012345678905", "00012345678912"]],
    }),
});

export const eventsQuery = z.object({
  store_nbr: storeNumber,
  gtin,
  event_type: eventType.optional(),
  start_date: date.optional().describe("First day (UTC), at most 6 days back. Default: 6 days back."),
  end_date: date.optional().describe("Last day (UTC). Default: today."),
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
      "INV's own shape, because the document shows none: each item of the CID with data at the store, by its known " +
        "GTIN and item number, with its AVAILABLE quantity in the STORE area.",
    ),
});

export const itemRecord = z.union([
  z.object({
    gtin: gtin.optional().describe("Present if the request had GTINs."),
    wm_item_number: itemNumber.optional().describe("Missing only if imported rows have no item number."),
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
