/** The history request and every response to it. */
import { fc } from "../helpers/properties";
import {
  buildEventsRequest,
  eventsQuerySchema,
  readEventsResponse,
  type EventsQuery,
} from "../../src/api/events";
import type { EventsOutcome } from "../../src/api/outcomes";
import { badProperty, environment, gtin, json, limit, problem } from "./bodies";

const options = { consumerId: "6a1f-consumer", accessToken: "abc.def" };
const query: EventsQuery = { storeNumber: 1234, gtin: gtin(11) };

const sale = {
  event_type: "SALES",
  event_qty: "2",
  event_creation_time: "2026-11-18T04:05:06",
  aggregated_qty: "10",
};

function page(events: unknown, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    supplier_name: "ACME FOODS",
    store_nbr: 1234,
    gtin: gtin(11),
    event_history_item_details: events,
    ...fields,
  };
}

async function read(body: unknown, asked: EventsQuery = query): Promise<EventsOutcome> {
  return readEventsResponse(json(body), asked, limit);
}

describe("buildEventsRequest", () => {
  it("omits what the user omitted", () => {
    const request = buildEventsRequest(environment, query, options);
    expect([request.method, request.url]).toEqual([
      "GET",
      `${environment.eventsUrl}?store_nbr=1234&gtin=00000000000011`,
    ]);
    expect(request.headers.get("authorization")).toBe("Bearer abc.def");
    expect(request.headers.get("wm_consumer.id")).toBe("6a1f-consumer");
  });

  it("sends every documented parameter, and the page token unchanged", () => {
    const full: EventsQuery = {
      ...query,
      eventType: "SALES",
      startDate: "2026-11-15",
      endDate: "2026-11-20",
      locationArea: "BACKROOM",
      pageToken: "a+b/c==&d é",
    };
    const url = new URL(buildEventsRequest(environment, full, options).url);
    const parameters = Object.fromEntries(url.searchParams);
    expect(parameters).toEqual({
      store_nbr: "1234",
      gtin: gtin(11),
      event_type: "SALES",
      start_date: "2026-11-15",
      end_date: "2026-11-20",
      location_area: "BACKROOM",
      page_token: "a+b/c==&d é",
    });
    expect(eventsQuerySchema.safeParse(parameters).success).toBe(true);
  });

  it("extends an address that already has a query", () => {
    const other = { ...environment, eventsUrl: "https://data.example/events?tenant=7" };
    expect(buildEventsRequest(other, query, options).url).toContain("?tenant=7&store_nbr=1234");
  });
});

describe("a page of events", () => {
  it("is converted to INV's events", async () => {
    expect(await read(page([sale], { next_page_token: " t1" }))).toEqual({
      kind: "page",
      events: [
        { eventType: "SALES", quantity: 2, quantityAfter: 10, createdAtMs: Date.UTC(2026, 10, 18, 4, 5, 6) },
      ],
      nextPageToken: " t1",
    });
  });

  it("is read from the array name of the sample, too", async () => {
    const outcome = await read({ ...page(undefined), items: [sale] });
    expect(outcome).toMatchObject({ kind: "page", events: [{ quantity: 2 }] });
  });

  it.each([[null], [undefined], [""]])("is the last one if its token is %j", async (token) => {
    expect(await read(page([], { next_page_token: token }))).toEqual({
      kind: "page",
      events: [],
      nextPageToken: null,
    });
  });

  it.each([["LP"], ["POF"], ["BRAND-NEW"]])("passes the code %s through", async (code) => {
    expect(await read(page([{ ...sale, event_type: code }]))).toMatchObject({
      events: [{ eventType: code }],
    });
  });

  it.each([
    ["2", 2],
    ["-2.50", -2.5],
    [7, 7],
    ["-0", 0],
  ])("reads the quantity %j", async (event_qty, quantity) => {
    const outcome = await read(page([{ ...sale, event_qty }]));
    expect(outcome.kind === "page" && outcome.events.map((event) => event.quantity)).toEqual([quantity]);
  });

  it.each([[undefined], [null], [""], ["two"], ["1e3"]])(
    "reads the quantity %j as null, never as 0, and keeps the other events",
    async (event_qty) => {
      expect(await read(page([sale, { ...sale, event_qty }]))).toMatchObject({
        kind: "page",
        events: [{ quantity: 2 }, { quantity: null }],
      });
    },
  );

  it.each([[undefined], [null], [""], ["n/a"]])(
    "reads the quantity after the event as null for %j",
    async (aggregated_qty) => {
      expect(await read(page([{ ...sale, aggregated_qty }]))).toMatchObject({
        events: [{ quantityAfter: null }],
      });
    },
  );

  it.each([
    [{ event_creation_time: "yesterday" }],
    [{ event_creation_time: null }],
    [{ event_type: "" }],
    [{ event_type: 5 }],
  ])("is unreadable if an event has %j", async (fields) => {
    const outcome = await read(page([sale, { ...sale, ...fields }]));
    expect(outcome).toMatchObject({ kind: "unreadable", error: { code: "bad-answer" } });
  });

  it.each([
    [page(null)],
    [page({})],
    [page(undefined)],
    [page([sale], { next_page_token: {} })],
    [page([sale], { store_nbr: 4321 })],
    [page([sale], { gtin: gtin(22) })],
    [[]],
    [null],
  ])("is unreadable for %j", async (body) => {
    expect(await read(body)).toMatchObject({ kind: "unreadable", error: { code: "bad-answer" } });
  });

  it("accepts identifiers as numbers", async () => {
    expect(await read(page([sale], { store_nbr: "1234", gtin: 11 }))).toMatchObject({ kind: "page" });
  });

  it("removes events of other types from a filtered history", async () => {
    const events = [sale, { ...sale, event_type: "RETURNS" }];
    const outcome = await read(page(events), { ...query, eventType: "RETURNS" });
    expect(outcome).toMatchObject({ events: [{ eventType: "RETURNS" }] });
    expect(outcome.kind === "page" && outcome.events).toHaveLength(1);
  });
});

describe("an error response of the history", () => {
  it.each([
    ["Data not found. At least one of the given request parameters is invalid.", "no-data"],
    // Not documented for histories. It may mean only that the filter found nothing, so it is taken for that.
    ["No data found", "no-data"],
    ["Data not found for the given request parameters.", "no-history"],
    ["No data found. Invalid GTIN", "invalid-gtin"],
    ["The requested GTIN is not mapped to the Supplier.", "not-mapped"],
    ["the requested gtin is not mapped to the supplier", "not-mapped"],
  ])("404 %s is a negative answer", async (detail, code) => {
    const outcome = await readEventsResponse(problem("resource-not-found", 404, { detail }), query, limit);
    expect(outcome).toMatchObject({ kind: "none", error: { code, message: detail } });
  });

  it("400 names the parameter", async () => {
    const errors = [badProperty("/start_date/2026-11-30", "The value is invalid")];
    const outcome = await readEventsResponse(problem("invalid-request", 400, { errors }), query, limit);
    expect(outcome).toMatchObject({
      kind: "request-refused",
      error: {
        code: "refused-request",
        message: expect.stringContaining("/start_date/2026-11-30") as string,
      },
    });
  });

  it("400 without a name contains the detail", async () => {
    const outcome = await readEventsResponse(problem("invalid-request", 400), query, limit);
    expect(outcome).toMatchObject({
      kind: "request-refused",
      error: { message: expect.stringContaining("Invalid request parameters received") as string },
    });
  });

  it("never throws", async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.integer({ min: 200, max: 599 }), async (text, status) => {
        const body = status === 204 || status === 205 || status === 304 ? null : text;
        const outcome = await readEventsResponse(new Response(body, { status }), query, limit);
        expect(typeof outcome.kind).toBe("string");
      }),
    );
  });
});
