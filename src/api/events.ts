/**
 * The transaction history, `GET /events`: one page of one GTIN's events at one store. The engine follows the pages and sorts
 * the events.
 * Invariant: reading never throws. A page is read whole or not at all, because a sum over a part would be a wrong number.
 */
import { readReply, unreadable } from "./body";
import type { ErrorBody } from "./error-body";
import { InvError, type ErrorCode, type ErrorFacts } from "../domain/errors";
import type { Environment } from "../domain/environment";
import type { HistoryQuery } from "../domain/records";
import { type CallOptions, type ReadOptions, buildRequest, callHeaders } from "./headers";
import { factsOf, readFailure, readPropertyError, type ErrorResponse } from "./failures";
import {
  identifierSchema,
  plainText,
  quantitySchema,
  readUtcMs,
  reasonText,
  sameIdentifier,
  sameText,
} from "./values";
import type { EventsOutcome } from "./outcomes";
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

/** The service's document declares the array of events under one name and shows it under another, so INV reads both. */
const eventListSchema = z.nullish(z.array(eventSchema));

const historySchema = z
  .looseObject({
    store_nbr: z.nullish(identifierSchema),
    gtin: z.nullish(identifierSchema),
    event_history_item_details: eventListSchema,
    items: eventListSchema,
    /** Strict, because overlooking a token would cut the history short. */
    next_page_token: z.nullish(identifierSchema),
  })
  .check(z.refine((page) => Array.isArray(page.event_history_item_details ?? page.items)));

/** Requests the first page of a history, or with a token its next page. */
export type EventsQuery = HistoryQuery & { readonly pageToken?: string };

/**
 * The documented 404s that mean "no data", for histories and lookups. Any other 404 is a wrong address. Two say that the item has no
 * history at all, whatever the filter; a plain `no-data` may mean only that the filter found no event.
 */
const documentedNoData: readonly (readonly [detail: string, code: ErrorCode])[] = [
  ["Data not found. At least one of the given request parameters is invalid.", "no-data"],
  ["The requested GTIN is not mapped to the Supplier.", "not-mapped"],
  ["Data not found for the given request parameters.", "no-history"],
  ["No data found. Invalid GTIN", "invalid-gtin"],
  ["No data found", "no-data"],
];

export function buildEventsRequest(
  environment: Environment,
  query: EventsQuery,
  options: CallOptions,
): Request {
  const parameters: z.infer<typeof eventsQuerySchema> = {
    store_nbr: String(query.storeNumber),
    gtin: query.gtin,
    ...(query.eventType !== undefined && { event_type: query.eventType }),
    ...(query.startDate !== undefined && { start_date: query.startDate }),
    ...(query.endDate !== undefined && { end_date: query.endDate }),
    ...(query.locationArea !== undefined && { location_area: query.locationArea }),
    ...(query.pageToken !== undefined && { page_token: query.pageToken }),
  };
  const separator = environment.eventsUrl.includes("?") ? "&" : "?";
  const url = environment.eventsUrl + separator + new URLSearchParams(parameters).toString();
  return buildRequest(url, { method: "GET", headers: callHeaders(options), signal: options.signal });
}

/** Reads one page. Never throws. */
export async function readEventsResponse(
  response: Response,
  query: EventsQuery,
  options: ReadOptions,
): Promise<EventsOutcome> {
  const reply = await readReply(response, "events", options);
  if (reply.kind === "json") return readPage(reply.value, query, factsOf({ response }));
  if (reply.kind !== "error-response") return reply;
  if (response.status === 400) return { kind: "request-refused", error: requestRefused(reply) };
  const noData = response.status === 404 ? readNoData(reply) : null;
  return noData === null ? readFailure(reply) : { kind: "none", error: noData };
}

function readPage(value: unknown, query: EventsQuery, facts: ErrorFacts): EventsOutcome {
  const parsed = historySchema.safeParse(value);
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.join(".") ?? "";
    const where = path === "" ? "" : ` at ${plainText(path).slice(0, 60)}`;
    return unreadable(`INV can't read the response as a page of events${where}.`, facts);
  }
  const page = parsed.data;
  const isOtherHistory =
    !sameIdentifier(page.store_nbr ?? query.storeNumber, query.storeNumber) ||
    !sameIdentifier(page.gtin ?? query.gtin, query.gtin);
  if (isOtherHistory) {
    return unreadable("The response contains events of another store or GTIN.", facts);
  }
  const named = page.event_history_item_details ?? [];
  const events = (named.length > 0 ? named : (page.items ?? []))
    .map((event) => ({
      eventType: plainText(event.event_type),
      quantity: event.event_qty,
      quantityAfter: event.aggregated_qty,
      createdAtMs: event.event_creation_time,
    }))
    // If a service ignores the filter, other event types must not get into the sum of this one.
    .filter((event) => query.eventType === undefined || event.eventType === query.eventType);
  // The token is opaque, so it isn't even trimmed.
  return { kind: "page", events, nextPageToken: String(page.next_page_token ?? "") || null };
}

function requestRefused(errorResponse: ErrorResponse): InvError {
  const named =
    errorResponse.body.shape === "problem"
      ? errorResponse.body.errors.find((error) => error.property)
      : undefined;
  if (named !== undefined) return readPropertyError(named, factsOf(errorResponse));
  const detail = errorResponse.body.shape === "problem" ? errorResponse.body.detail : "";
  const message = `The service refused the request for events (400): ${reasonText(detail)}. Check the formula's arguments.`;
  return new InvError("refused-request", message, factsOf(errorResponse));
}

/** Returns why a 404 means "no data". Null if the address is wrong. */
export function noDataCode(body: ErrorBody): ErrorCode | null {
  if (body.shape !== "problem") return null;
  return documentedNoData.find(([text]) => sameText(body.detail, text))?.[1] ?? null;
}

/** The message contains the service's detail unchanged. */
function readNoData(errorResponse: ErrorResponse): InvError | null {
  const { body } = errorResponse;
  const code = noDataCode(body);
  if (code === null || body.shape !== "problem") return null;
  return new InvError(code, plainText(body.detail), factsOf(errorResponse));
}
