/**
 * `GET /events` for an authorized caller: checks the query, asks the backend for one page, and turns "nothing" into one of the
 * document's four 404 details. A range without events of a known type is a 200 with an empty array, because nothing is wrong with
 * the query. Page tokens are sealed and belong to their consumer and query. They keep the range of the first page, so that paging
 * past midnight stays one history.
 */
import { type ServiceCall, invalidRequest, json, notFound, utcTime } from "./answers";
import type { History, HistoryPageAnswer, Supplier } from "./backend";
import { badPageToken, givenPageToken, readEventsRequest } from "./events-request";
import type { EventsResponse } from "./schemas";
import type { Sealer } from "./seal";

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

/** Events per page; the document doesn't say how many. */
const pageSize = 50;
const dayMs = 86_400_000;

export async function answerEvents(
  call: ServiceCall,
  caller: Caller,
  options: {
    readonly history: History;
    readonly sealer: Sealer;
    readonly now: () => number;
    readonly isSandbox: boolean;
  },
): Promise<Response> {
  const request = readEventsRequest(call.url.searchParams, {
    nowMs: options.now(),
    isSandbox: options.isSandbox,
  });
  const pageToken = givenPageToken(call.url.searchParams);
  const next = pageToken === null ? null : await openPageToken(pageToken, caller, options.sealer);
  // The tokens of a wrong query are unknown, but a token of nobody is named with the query's other errors.
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

/** Returns undefined for a token that this caller didn't get. */
async function openPageToken(
  pageToken: string,
  caller: Caller,
  sealer: Sealer,
): Promise<PageTokenContent | undefined> {
  // Only content that was sealed above can be opened, so its shape is known.
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
 * The document's four details by cause. An unknown store is an invalid parameter. A GTIN with a wrong check digit, or without data in
 * any store, is "invalid". Another GTIN of somebody else, or of nobody, is "not mapped".
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

/** GS1: with the weights 3 and 1 in turn, the sum of all digits is a multiple of ten. */
function hasCheckDigit(gtin: string): boolean {
  const sum = Array.from(gtin).reduce(
    (total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 3 : 1),
    0,
  );
  return sum % 10 === 0;
}
