/**
 * The conditions of the service's document that lead to anything but a value, row by row: the words of the row, the
 * status, and what the body says. `conditions` names the calls that prove each. A row that holds for both lookups
 * stands here once for each.
 */

/** What a body of the problem shape says; 400 names each offender in `errors`. */
interface ProblemBody {
  readonly shape: "problem";
  readonly kind:
    "invalid-request" | "authentication-failure" | "resource-not-found" | "internal-server-error";
  readonly detail: string;
  readonly error?: {
    readonly code: "invalid-property-value" | "invalid-property-length" | "missing-required-property";
    /** Where a case does not say another. */
    readonly reason: "missing" | "length" | "value";
  };
}

interface GatewayBody {
  readonly shape: "gateway";
  readonly description: string;
}

export interface DocumentedCondition {
  readonly table: string;
  readonly condition: string;
  readonly endpoint: "search" | "events";
  readonly status: number;
  readonly body: ProblemBody | GatewayBody;
  /** Only there; both environments unless given. */
  readonly only?: "sandbox" | "production";
}

const invalid = "Invalid request parameters received.";

function badRequest(
  endpoint: "search" | "events",
  condition: string,
  error: ProblemBody["error"],
): DocumentedCondition {
  const body = { shape: "problem", kind: "invalid-request", detail: invalid, error } as const;
  return { table: "400 Bad request", condition, endpoint, status: 400, body };
}

const value = { code: "invalid-property-value", reason: "value" } as const;
const length = { code: "invalid-property-length", reason: "length" } as const;

function refusedAccess(
  endpoint: "search" | "events",
  condition: string,
  answer: readonly [status: number, description: string],
): DocumentedCondition {
  const [status, description] = answer;
  return { table: "Authentication", condition, endpoint, status, body: { shape: "gateway", description } };
}

function unknownConsumer(endpoint: "search" | "events", condition: string): DocumentedCondition {
  const body = {
    shape: "problem",
    kind: "authentication-failure",
    detail: "The consumer ID is not found.",
  } as const;
  return { table: "Authentication", condition, endpoint, status: 401, body };
}

function notFound(endpoint: "search" | "events", condition: string, detail: string): DocumentedCondition {
  const body = { shape: "problem", kind: "resource-not-found", detail } as const;
  return { table: "404 Not found", condition, endpoint, status: 404, body };
}

function wrongMethod(endpoint: "search" | "events", detail: string): DocumentedCondition {
  const body = { shape: "problem", kind: "invalid-request", detail } as const;
  return {
    table: "Other statuses",
    condition: "Wrong HTTP method for the path",
    endpoint,
    status: 405,
    body,
  };
}

function other(
  endpoint: "search" | "events",
  condition: string,
  answer: Pick<DocumentedCondition, "status" | "body">,
): DocumentedCondition {
  return { table: "Other statuses", condition, endpoint, ...answer };
}

const missingToken = [401, "Required access token is missing."] as const;
const invalidToken = [401, "Access token validation failed with status: Bad Request."] as const;
const expiredToken = [
  401,
  "Access token validation failed with error: expired_token. Request a new token.",
] as const;
const otherHolder = [401, "Holder consumer ID does not match the sender consumer ID."] as const;
const notSubscribed = [403, "The consumer ID is not subscribed to the service."] as const;
const tooMany = {
  status: 429,
  body: { shape: "gateway", description: "Too many requests. Retry after some time." },
} as const;
const unavailable = {
  status: 500,
  body: {
    shape: "problem",
    kind: "internal-server-error",
    detail: "One or more services are unavailable. Try again later, or contact support.",
  },
} as const;

export const documented = {
  searchTokenMissing: refusedAccess("search", "`Authorization` header missing", missingToken),
  eventsTokenMissing: refusedAccess("events", "`Authorization` header missing", missingToken),
  searchTokenInvalid: refusedAccess("search", "Token malformed or invalid", invalidToken),
  eventsTokenInvalid: refusedAccess("events", "Token malformed or invalid", invalidToken),
  searchTokenExpired: refusedAccess("search", "Token expired", expiredToken),
  eventsTokenExpired: refusedAccess("events", "Token expired", expiredToken),
  searchOtherHolder: refusedAccess(
    "search",
    "Token issued to a different consumer than the sender",
    otherHolder,
  ),
  eventsOtherHolder: refusedAccess(
    "events",
    "Token issued to a different consumer than the sender",
    otherHolder,
  ),
  searchUnmapped: unknownConsumer("search", "`wm_consumer.id` not mapped to the supplier"),
  eventsUnmapped: unknownConsumer(
    "events",
    "`wm_consumer.id` not mapped to the supplier, header missing or incorrect",
  ),
  searchNotSubscribed: refusedAccess(
    "search",
    "`wm_consumer.id` header absent, null or not subscribed",
    notSubscribed,
  ),
  eventsNotSubscribed: refusedAccess(
    "events",
    "`wm_consumer.id` header null or not subscribed",
    notSubscribed,
  ),

  searchGtin: badRequest(
    "search",
    "gtin has special characters, is negative, is non-numeric, or is not 14 digits",
    value,
  ),
  eventsGtin: badRequest(
    "events",
    "gtin has special characters, is negative, is non-numeric, or is not 14 digits",
    value,
  ),
  searchItemNumber: badRequest(
    "search",
    "wm_item_number has special characters, is negative, or is non-numeric",
    value,
  ),
  searchStoreLength: badRequest("search", "store_nbr length above 6 or below 2", length),
  eventsStoreLength: {
    ...badRequest("events", "store_nbr length above 6 or below 2", length),
    only: "production",
  },
  eventsStoreLengthInSandbox: {
    ...badRequest("events", "store_nbr length above 6 or below 2 (history sandbox sample)", value),
    only: "sandbox",
  },
  eventsStore: badRequest("events", "store_nbr non-numeric, negative or with special characters", value),
  searchItemType: badRequest("search", "item_type not `gtin` or `wm_item_number`", value),
  searchMissing: badRequest("search", "store_nbr, item_type or item_type_values missing", {
    code: "invalid-property-value",
    reason: "missing",
  }),
  eventsGtinMissing: badRequest("events", "gtin missing", {
    code: "missing-required-property",
    reason: "missing",
  }),
  eventsType: badRequest("events", "event_type invalid", value),
  eventsWindow: badRequest(
    "events",
    "start_date or end_date outside current date minus 6 days to current date",
    value,
  ),
  eventsDateOrder: badRequest("events", "start_date after end_date", value),
  eventsDateForm: badRequest("events", "date not in `yyyy-MM-dd` form", value),
  eventsFuture: badRequest("events", "start_date in the future", value),
  eventsArea: badRequest("events", "location_area not `STORE` or `BACKROOM` (case sensitive)", value),
  eventsPageToken: badRequest("events", "page_token not equal to a returned next_page_token", value),
  searchLimit: {
    ...badRequest("search", "Items per request: at most 100 in `item_type_values`", length),
    table: "Limits",
  },

  searchUnknownPath: notFound("search", "Unknown path", "Requested resource does not exist"),
  eventsUnknownPath: notFound("events", "Unknown path", "Requested resource does not exist"),
  searchNoData: {
    ...notFound("search", "No data for the request (sandbox)", "No data found"),
    only: "sandbox",
  },
  eventsNoData: notFound(
    "events",
    "No data for the request",
    "Data not found. At least one of the given request parameters is invalid.",
  ),
  eventsNotMapped: notFound(
    "events",
    "GTIN not mapped to the supplier",
    "The requested GTIN is not mapped to the Supplier.",
  ),
  eventsNoPair: notFound(
    "events",
    "No data for the GTIN and store combination",
    "Data not found for the given request parameters.",
  ),
  eventsNoGtin: notFound("events", "GTIN invalid or without data", "No data found. Invalid GTIN"),

  searchMethod: wrongMethod("search", "The method PUT isn't allowed here. Use POST."),
  eventsMethod: wrongMethod("events", "The method PUT isn't allowed here. Use GET."),
  searchQuota: other("search", "Request quota exceeded: 600 in 60 seconds", tooMany),
  eventsQuota: other("events", "Request quota exceeded: 600 in 60 seconds", tooMany),
  searchDown: other("search", "One or more internal services are unavailable", unavailable),
  eventsDown: other("events", "One or more internal services are unavailable", unavailable),
} satisfies Record<string, DocumentedCondition>;

export type ConditionName = keyof typeof documented;
