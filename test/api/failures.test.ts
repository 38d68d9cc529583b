/** Error responses that search and history share, in both error shapes. */
import type { EventsOutcome, SearchOutcome } from "../../src/api/outcomes";
import { readEventsResponse } from "../../src/api/events";
import { readSearchResponse } from "../../src/api/search-items";
import { gateway, gtin, html, json, limit, problem, streamed } from "./bodies";

const readers: Record<"search" | "events", (response: Response) => Promise<SearchOutcome | EventsOutcome>> = {
  search: (response) =>
    readSearchResponse(response, { storeNumber: 1234, itemType: "gtin", values: [gtin(11)] }, limit),
  events: (response) => readEventsResponse(response, { storeNumber: 1234, gtin: gtin(11) }, limit),
};

const consumerMissing = { detail: "Consumer ID not found" };

/** Functions, because a response can be read only once. */
const cases: readonly [title: string, response: () => Response, kind: string, code: string][] = [
  [
    "401, token missing",
    () => gateway(401, "Required access token is missing"),
    "token-refused",
    "credentials-refused",
  ],
  [
    "401, token expired",
    () => gateway(401, "Token validation failed: expired"),
    "token-refused",
    "credentials-refused",
  ],
  ["401 without a body", () => new Response(null, { status: 401 }), "token-refused", "credentials-refused"],
  [
    "401, consumer not mapped",
    () => problem("authentication-failure", 401, consumerMissing),
    "operation-refused",
    "consumer-unknown",
  ],
  [
    "403, not subscribed",
    () => gateway(403, "Consumer is not subscribed"),
    "operation-refused",
    "not-subscribed",
  ],
  ["403, a web page", () => html(403), "operation-refused", "wrong-address"],
  [
    "404, unknown path",
    () => problem("resource-not-found", 404, { detail: "Requested resource does not exist" }),
    "unreadable",
    "wrong-address",
  ],
  ["404, a web page", () => html(404), "unreadable", "wrong-address"],
  ["404 without a body", () => new Response(null, { status: 404 }), "unreadable", "wrong-address"],
  ["200, a web page", () => html(200), "unreadable", "wrong-address"],
  [
    "302",
    () => new Response(null, { status: 302, headers: { location: "/login" } }),
    "unreadable",
    "wrong-address",
  ],
  ["405", () => json({}, 405), "unreadable", "wrong-address"],
  ["413", () => json({}, 413), "unreadable", "refused-request"],
  ["415", () => json({}, 415), "unreadable", "refused-request"],
  ["429", () => json({}, 429), "throttled", "quota"],
  ["408", () => json({}, 408), "unavailable", "timeout"],
  ["500", () => problem("internal-server-error", 500), "unavailable", "service-down"],
  ["502, a web page", () => html(502), "unavailable", "unreachable"],
  [
    "502 of the relay",
    () => new Response('{"type":"about:blank","title":"Relay","status":502}', { status: 502 }),
    "unavailable",
    "unreachable",
  ],
  [
    "503 whose body breaks",
    () => new Response(streamed([], "breaks"), { status: 503 }),
    "unavailable",
    "service-down",
  ],
  ["504", () => json({}, 504), "unavailable", "timeout"],
];

describe.each(["search", "events"] as const)("the reader of %s", (operation) => {
  it.each(cases)("reads %s", async (_title, response, kind, code) => {
    const outcome = await readers[operation](response());
    expect(outcome).toMatchObject({ kind, error: { code } });
    expect("error" in outcome && outcome.error.message.length).toBeLessThan(200);
  });

  it("returns the trace id and the status", async () => {
    const outcome = await readers[operation](problem("internal-server-error", 500));
    expect(outcome).toMatchObject({ error: { details: { httpStatus: 500, traceId: "4bf92f3577b34da6" } } });
  });

  it.each([
    ["5", null, 5000],
    ["0", null, 0],
    ["1.5", null, 1500],
    ["2, 2", null, 2000],
    ["2, 5", null, 5000],
    ["2, soon", null, null],
    ["Fri, 20 Nov 2026 10:00:30 GMT", "Fri, 20 Nov 2026 10:00:00 GMT", 30_000],
    ["Fri, 20 Nov 2026 09:00:00 GMT", "Fri, 20 Nov 2026 10:00:00 GMT", 0],
    ["Fri, 20 Nov 2026 10:00:30 GMT", null, null],
    ["-5", null, null],
    ["soon", null, null],
    ["", null, null],
  ])("reads Retry-After %j", async (retryAfter, date, retryAfterMs) => {
    const response = json({}, 429, { "retry-after": retryAfter, ...(date !== null && { date }) });
    expect(await readers[operation](response)).toMatchObject({ kind: "throttled", retryAfterMs });
  });

  it("returns no time without Retry-After", async () => {
    expect(await readers[operation](json({}, 429))).toMatchObject({ kind: "throttled", retryAfterMs: null });
  });

  it("does not repeat a refused token", async () => {
    const outcome = await readers[operation](gateway(401, "Token eyJhbGci.secret is invalid"));
    expect("error" in outcome && outcome.error.message).not.toContain("eyJhbGci");
  });
});

describe("a 404 of the search", () => {
  it('with the documented detail is "no data" for every item', async () => {
    const outcome = await readers.search(problem("resource-not-found", 404, { detail: "No data found" }));
    expect(outcome).toMatchObject({
      kind: "no-data",
      error: { code: "no-data", details: { httpStatus: 404 } },
    });
  });

  it("with the detail on a web page is a wrong address", async () => {
    const page = new Response("<html>No data found</html>", { status: 404 });
    expect(await readers.search(page)).toMatchObject({
      kind: "unreadable",
      error: { code: "wrong-address" },
    });
  });
});
