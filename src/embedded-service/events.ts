/**
 * `GET /events` for a caller who may call: checks the query, asks the backend for one page, and maps
 * "nothing" to the document's four 404 details. A range without events of a known type is a 200 with an
 * empty array: nothing is wrong with such a query. Page tokens are sealed, belong to their consumer and
 * query, and keep the range of the first page, so that paging over midnight stays one history.
 */
import { type ServiceCall, invalidRequest, json, notFound } from "./answers";
import type { History, HistoryPageAnswer, Supplier } from "./backend";
import { badPageToken, givenPageToken, readEventsRequest } from "./events-request";
import type { EventsResponse } from "./schemas";
import type { Sealer } from "./seal";
import { utcTime } from "./utc-time";

export interface EventsOptions {
  readonly history: History;
  readonly sealer: Sealer;
  readonly now: () => number;
  readonly isSandbox: boolean;
}

export interface Caller {
  readonly consumerId: string;
  readonly supplier: Supplier;
}

interface PageTokenContent {
  readonly consumerId: string;
  readonly asked: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly cursor: string;
}

/** How many events a page holds; the document does not say. */
const pageSize = 50;
const dayMs = 86_400_000;

export async function answerEvents(
  call: ServiceCall,
  caller: Caller,
  options: EventsOptions,
): Promise<Response> {
  const request = readEventsRequest(call.url.searchParams, {
    nowMs: options.now(),
    isSandbox: options.isSandbox,
  });
  const pageToken = givenPageToken(call.url.searchParams);
  const next = pageToken === null ? null : await openPageToken(pageToken, caller, options.sealer);
  // Of a wrong query nobody knows which tokens are its own, but one that is nobody's is named beside the rest.
  const isForeign = next === undefined || (next !== null && request.ok && next.asked !== request.value.asked);
  const badToken = isForeign && pageToken !== null ? [badPageToken(pageToken)] : [];
  if (!request.ok) return invalidRequest(call, "query", [...request.errors, ...badToken]);
  if (badToken.length > 0) return invalidRequest(call, "query", badToken);
  const asked = request.value;
  const { startDate, endDate, cursor } = next ?? { ...asked, cursor: null };
  const answer = await options.history.read({
    supplier: caller.supplier,
    storeNumber: asked.storeNumber,
    gtin: asked.gtin,
    fromMs: Date.parse(startDate),
    untilMs: Date.parse(endDate) + dayMs,
    locationArea: asked.locationArea,
    eventType: asked.eventType,
    cursor,
    pageSize,
  });
  if (answer.kind !== "events") return notFound(call, whyNothing(answer.kind, asked.gtin));
  const nextPage = { consumerId: caller.consumerId, asked: asked.asked, startDate, endDate };
  return json(200, {
    supplier_name: caller.supplier.name,
    store_nbr: asked.storeNumber,
    gtin: asked.gtin,
    event_history_item_details: answer.events.map((event) => ({
      event_type: event.eventType,
      event_qty: String(event.quantity),
      event_creation_time: utcTime(event.createdAtMs),
      aggregated_qty: String(event.quantityAfter),
    })),
    next_page_token:
      answer.nextCursor === null
        ? null
        : await options.sealer.seal("page", {
            ...nextPage,
            cursor: answer.nextCursor,
          } satisfies PageTokenContent),
  } satisfies EventsResponse);
}

/** What a page token says; undefined for one that was not returned to this caller. */
async function openPageToken(
  pageToken: string,
  caller: Caller,
  sealer: Sealer,
): Promise<PageTokenContent | undefined> {
  // What opens was sealed above, so its shape is known.
  const content = (await sealer.open("page", pageToken)) as PageTokenContent | undefined;
  return content?.consumerId === caller.consumerId ? content : undefined;
}

const details = {
  parameter: "Data not found. At least one of the given request parameters is invalid.",
  notMapped: "The requested GTIN is not mapped to the Supplier.",
  combination: "Data not found for the given request parameters.",
  gtin: "No data found. Invalid GTIN",
} as const;

/**
 * The document's four details, by cause: an unknown store is an invalid parameter; a
 * GTIN that cannot be one, because its check digit is wrong, or without data in any store is "invalid";
 * other GTINs that are not the supplier's are "not mapped", whether they are another's or nobody's.
 */
function whyNothing(kind: Exclude<HistoryPageAnswer["kind"], "events">, gtin: string): string {
  switch (kind) {
    case "unknown-store":
      return details.parameter;
    case "not-mapped":
      return hasCheckDigit(gtin) ? details.notMapped : details.gtin;
    case "no-data-anywhere":
      return details.gtin;
    case "no-data":
      return details.combination;
  }
}

/** GS1: the digits weighted 3 and 1 in turn, the check digit last, sum to a multiple of ten. */
function hasCheckDigit(gtin: string): boolean {
  const sum = Array.from(gtin).reduce(
    (total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 3 : 1),
    0,
  );
  return sum % 10 === 0;
}
