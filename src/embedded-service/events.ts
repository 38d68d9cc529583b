/**
 * `GET /events` for an authorized caller: checks the query, asks the backend for one page, and turns "nothing" into one of the
 * document's four 404 details. A range without events of a known type is a 200 with an empty array, because nothing is wrong with
 * the query. Page tokens are sealed and belong to their consumer and query. They keep the range of the first page, so that paging
 * past midnight stays one history.
 *
 * Dates are UTC. They may be today and the 6 days before it; the defaults are the first and the last of these (the document's "7 days
 * back" counts today). The order of the dates is checked only if both are right. Repeated parameters are joined by a comma, which no
 * parameter allows.
 */
import {
  type CheckedRequest,
  invalidRequest,
  json,
  notFound,
  type PropertyError,
  type ServiceCall,
  utcTime,
} from "./answers";
import type { History, HistoryPageAnswer, Supplier } from "./backend";
import { date, type EventsResponse, eventType, gtin, locationArea, storeNumberText } from "./schemas";
import type { Sealer } from "./seal";

export interface Caller {
  readonly consumerId: string;
  readonly supplier: Supplier;
}

interface PageTokenContent {
  readonly consumerId: string;
  readonly queryKey: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly cursor: string;
}

/** Events per page; the document doesn't say how many. */
const pageSize = 50;
const windowDays = 7;
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
  const pageToken = given(call.url.searchParams, "page_token");
  const next = pageToken === null ? null : await openPageToken(pageToken, caller, options.sealer);
  // The tokens of a wrong query are unknown, but a token of nobody is named with the query's other errors.
  const isForeign =
    next === undefined || (next !== null && request.ok && next.queryKey !== request.value.queryKey);
  const badToken = isForeign && pageToken !== null ? [badValue("page_token", pageToken)] : [];
  if (!request.ok) return invalidRequest(call, "query", [...request.errors, ...badToken]);
  if (badToken.length > 0) return invalidRequest(call, "query", badToken);
  const query = request.value;
  const { startDate, endDate, cursor } = next ?? { ...query, cursor: null };
  const answer = await options.history.read({
    supplier: caller.supplier,
    storeNumber: query.storeNumber,
    gtin: query.gtin,
    fromMs: Date.parse(startDate),
    untilMs: Date.parse(endDate) + dayMs,
    locationArea: query.locationArea,
    eventType: query.eventType,
    cursor,
    pageSize,
  });
  if (answer.kind !== "events") return notFound(call, whyNothing(answer.kind, query.gtin));
  const nextPage = { consumerId: caller.consumerId, queryKey: query.queryKey, startDate, endDate };
  return json(200, {
    supplier_name: caller.supplier.name,
    store_nbr: query.storeNumber,
    gtin: query.gtin,
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

interface EventsRequest {
  readonly storeNumber: number;
  readonly gtin: string;
  readonly eventType: string | null;
  /** `yyyy-mm-dd`, UTC. */
  readonly startDate: string;
  readonly endDate: string;
  readonly locationArea: "STORE" | "BACKROOM";
  /** The query without its page token. A page token is valid only for this query. */
  readonly queryKey: string;
}

/** @param isSandbox there the document has another code for a store number with a wrong length */
function readEventsRequest(
  query: URLSearchParams,
  { nowMs, isSandbox }: { nowMs: number; isSandbox: boolean },
): CheckedRequest<EventsRequest> {
  const [store, gtinText, type, area] = ["store_nbr", "gtin", "event_type", "location_area"].map((name) =>
    given(query, name),
  );
  const start = given(query, "start_date");
  const end = given(query, "end_date");
  const today = isoDate(nowMs);
  const firstDay = isoDate(nowMs - (windowDays - 1) * dayMs);

  const errors = [
    ...checkStore(store ?? null, isSandbox),
    ...checkGtin(gtinText ?? null),
    ...checkOptional("event_type", type, (value) => eventType.safeParse(value).success),
    ...checkDates({ start, end, firstDay, today }),
    ...checkOptional("location_area", area, (value) => locationArea.safeParse(value).success),
  ];
  if (errors.length > 0) return { ok: false, errors };
  return {
    ok: true,
    value: {
      storeNumber: Number(store),
      gtin: gtinText ?? "",
      eventType: type ?? null,
      startDate: start ?? firstDay,
      endDate: end ?? today,
      locationArea: area === "BACKROOM" ? "BACKROOM" : "STORE",
      queryKey: JSON.stringify([Number(store), gtinText, type, start, end, area ?? "STORE"]),
    },
  };
}

function given(query: URLSearchParams, name: string): string | null {
  return query.has(name) ? query.getAll(name).join(",") : null;
}

function checkStore(value: string | null, isSandbox: boolean): PropertyError[] {
  if (value === null || value === "") return [missing("store_nbr")];
  if (storeNumberText.safeParse(value).success) return [];
  return /^\d+$/.test(value) && !isSandbox
    ? [{ kind: "invalid-property-length", why: "length", property: `/store_nbr/${value}` }]
    : [badValue("store_nbr", value)];
}

function checkGtin(value: string | null): PropertyError[] {
  if (value === null || value === "") return [missing("gtin")];
  if (gtin.safeParse(value).success) return [];
  // The document has one code for both, but a reason of its own for a wrong length.
  return [{ ...badValue("gtin", value), why: /^\d+$/.test(value) ? "length" : "value" }];
}

function checkOptional(
  name: string,
  value: string | null | undefined,
  isValid: (value: string) => boolean,
): PropertyError[] {
  return value === null || value === undefined || isValid(value) ? [] : [badValue(name, value)];
}

interface Dates {
  readonly start: string | null;
  readonly end: string | null;
  readonly firstDay: string;
  readonly today: string;
}

function checkDates({ start, end, firstDay, today }: Dates): PropertyError[] {
  // Dates of this form sort as text.
  const isAllowed = (value: string): boolean =>
    date.safeParse(value).success && value >= firstDay && value <= today;
  const errors = [
    ...checkOptional("start_date", start, isAllowed),
    ...checkOptional("end_date", end, isAllowed),
  ];
  if (errors.length === 0 && start !== null && end !== null && start > end) {
    return [badValue("start_date", `${start}/end_date/${end}`)];
  }
  return errors;
}

function missing(name: string): PropertyError {
  return { kind: "missing-required-property", why: "missing", property: `/${name}/` };
}

function badValue(name: string, value: string): PropertyError {
  return { kind: "invalid-property-value", why: "value", property: `/${name}/${value}` };
}

function isoDate(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
