/**
 * Reads the query of `GET /events`: returns a checked request, or every wrong parameter. The "current date" is the date in UTC. Dates
 * may be today and the 6 days before it; the defaults are the first and the last of these (the document's "7 days back" counts
 * today). The order of the dates is checked only if both are right. Repeated parameters are joined by a comma, which no
 * parameter allows.
 */
import type { PropertyError } from "./answers";
import { date, eventType, gtin, locationArea, storeNumberText } from "./schemas";
import type { CheckedRequest } from "./search-request";

export interface EventsRequest {
  readonly storeNumber: number;
  readonly gtin: string;
  readonly eventType: string | null;
  /** `yyyy-mm-dd`, UTC. */
  readonly startDate: string;
  readonly endDate: string;
  readonly locationArea: "STORE" | "BACKROOM";
  /** The query without its page token. A page token is valid only for this query. */
  readonly asked: string;
}

const dayMs = 86_400_000;
const windowDays = 7;

/** @param isSandbox there the document has another code for a store number with a wrong length */
export function readEventsRequest(
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
      asked: JSON.stringify([Number(store), gtinText, type, start, end, area ?? "STORE"]),
    },
  };
}

/** Returns null without a page token. Only the sealer knows which tokens are valid. */
export function givenPageToken(query: URLSearchParams): string | null {
  return given(query, "page_token");
}

export function badPageToken(value: string): PropertyError {
  return badValue("page_token", value);
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
