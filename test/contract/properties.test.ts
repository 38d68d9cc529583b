/** The service answers any request in a documented shape, and never fails. */
import { fc, slowRuns } from "../helpers/properties";
import { type Answer, type Caller, createCaller, fixedGtin, origin, read } from "./caller";
import { expectGateway, expectHistory, expectInventory, expectProblem, expectTokenError } from "./shapes";
import { contractServices, describeEach } from "./worlds";

/** Fails unless the answer has a documented shape. */
function expectDocumented(answer: Answer, operation: "search" | "events", requested: number): void {
  expect(answer.status).toBeLessThan(500);
  switch (answer.status) {
    case 200:
      if (operation === "events") expectHistory(answer);
      else {
        expectInventory(
          answer,
          Array.from({ length: requested }, () => ""),
        );
      }
      break;
    case 400:
    case 405:
    case 413:
    case 415:
      expectProblem(answer, answer.status, "invalid-request");
      break;
    case 404:
      expectProblem(answer, 404, "resource-not-found");
      break;
    case 401:
      if ("details" in answer.body) expectGateway(answer, 401, operation);
      else expectProblem(answer, 401, "authentication-failure");
      break;
    default:
      expect([403, 429]).toContain(answer.status);
      expectGateway(answer, answer.status, operation);
  }
}

const numRuns = slowRuns({ inTests: 80, inDrill: 1_000 });

const value = fc.oneof(
  fc.constantFrom(fixedGtin, "123456789", "gtin", "wm_item_number", 1234, "1234", "", null, -1, "x"),
  fc.jsonValue(),
);

const services = contractServices.filter(({ name }) => ["demo", "CSV files"].includes(name));

describeEach(services, () => {
  let caller: Caller;
  let goodHeaders: Promise<Record<string, string>>;
  beforeAll(() => {
    caller = createCaller({ ratePerMinute: 1_000_000 });
    goodHeaders = caller.headers();
  });

  it("answers any JSON body in a documented shape", async () => {
    const headers = await goodHeaders;
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          item_type: fc.oneof(fc.constantFrom("gtin", "wm_item_number"), value),
          store_nbr: fc.oneof(fc.constantFrom(1234, 100, 9999), value),
          item_type_values: fc.oneof(fc.array(value, { maxLength: 120 }), value),
        },
        { requiredKeys: [] },
      ),
    );
    await fc.assert(
      fc.asyncProperty(body, async (json) => {
        const answer = await caller.search(json, headers);
        const values: unknown = Reflect.get(Object(json) as object, "item_type_values");
        expectDocumented(answer, "search", Array.isArray(values) ? values.length : 0);
      }),
      { numRuns },
    );
  });

  it("answers any text as a body in a documented shape", async () => {
    const headers = { ...(await goodHeaders), "content-type": "application/json" };
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 400 }), async (body) => {
        expectDocumented(await caller.send("/search-items", { method: "POST", headers, body }), "search", 0);
      }),
      { numRuns },
    );
  });

  it("answers deeply nested JSON in a documented shape", async () => {
    const headers = { ...(await goodHeaders), "content-type": "application/json" };
    const deep = `{"item_type":"gtin","store_nbr":1234,"item_type_values":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    expectDocumented(
      await caller.send("/search-items", { method: "POST", headers, body: deep }),
      "search",
      0,
    );
  });

  it("answers any query string in a documented shape", async () => {
    const headers = await goodHeaders;
    const name = fc.constantFrom(
      ...[
        "store_nbr",
        "gtin",
        "event_type",
        "start_date",
        "end_date",
        "location_area",
        "page_token",
        "other",
      ],
    );
    const text = fc.oneof(
      fc.constantFrom("1234", fixedGtin, "SALES", "2026-11-18", "STORE", "BACKROOM", "", "%E4"),
      fc.string({ unit: "grapheme", maxLength: 30 }),
    );
    const query = fc.oneof(
      fc.array(fc.tuple(name, text), { maxLength: 10 }).map((pairs) => new URLSearchParams(pairs).toString()),
      fc
        .array(fc.tuple(name, text), { maxLength: 3 })
        .map((pairs) => `store_nbr=1234&gtin=${fixedGtin}&${new URLSearchParams(pairs).toString()}`),
      fc.string({ maxLength: 100 }).map((any) => any.replaceAll("#", "%")),
    );
    await fc.assert(
      fc.asyncProperty(query, async (any) => {
        expectDocumented(await caller.events(any, headers), "events", 0);
      }),
      { numRuns },
    );
  });

  it("answers any headers in a documented shape", async () => {
    const headers = await goodHeaders;
    const text = fc
      .string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) })
      .map((any) => any.trim());
    const some = fc.record(
      {
        authorization: fc.oneof(
          fc.constant(headers.authorization!),
          text.map((any) => `Bearer ${any}`),
          text,
        ),
        "wm_consumer.id": fc.oneof(
          fc.constantFrom("demo-consumer", "rival-consumer", "unmapped-consumer", "null", ""),
          text,
        ),
        "content-type": fc.oneof(fc.constant("application/json"), text),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(some, async (own) => {
        const sent = Object.entries(own);
        expectDocumented(
          await caller.events(`store_nbr=1234&gtin=${fixedGtin}`, Object.fromEntries(sent)),
          "events",
          0,
        );
        const request = new Request(`${origin}/search-items`, {
          method: "POST",
          headers: sent,
          body: JSON.stringify({ item_type: "gtin", store_nbr: 1234, item_type_values: [fixedGtin] }),
        });
        expectDocumented(await read(await caller.service(request)), "search", 1);
      }),
      { numRuns },
    );
  });

  it("answers any form at the token endpoint in a documented shape", async () => {
    const field = fc.tuple(
      fc.constantFrom("grant_type", "client_id", "client_secret", "scope"),
      fc.oneof(fc.constantFrom("client_credentials", "demo-consumer", "demo-secret", ""), fc.string()),
    );
    const form = fc.oneof(
      fc.array(field).map((pairs) => new URLSearchParams(pairs).toString()),
      fc.string({ unit: "binary" }),
    );
    await fc.assert(
      fc.asyncProperty(form, async (body) => {
        const answer = await caller.send("/api-proxy/service/identity/oauth/v1/token", {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body,
        });
        if (answer.status !== 200) {
          expect([400, 401]).toContain(answer.status);
          expectTokenError(answer, answer.status, answer.body.error);
        }
      }),
      { numRuns },
    );
  });
});
