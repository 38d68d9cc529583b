/** What the service refuses beyond `conditions`. These requests never reach a world. "Today" is 20 November 2026, UTC. */
import { createCaller, fixedGtin } from "./caller";
import { type ExpectedError, expectGateway, expectInvalid } from "./shapes";

const search = { item_type: "gtin", store_nbr: 1234, item_type_values: [fixedGtin] };
const query = `store_nbr=1234&gtin=${fixedGtin}`;

function value(property: string): ExpectedError {
  return { code: "invalid-property-value", reason: "value", property };
}

function missing(property: string): ExpectedError {
  return { code: "invalid-property-value", reason: "missing", property };
}

describe("POST /search-items", () => {
  it.each<[string, unknown, ExpectedError[]]>([
    [
      "values that aren't strings",
      { ...search, item_type_values: [12345678905, true, null, ["1"], { a: 1 }] },
      [
        value("/item_type_values[0]/12345678905"),
        value("/item_type_values[1]/true"),
        missing("/item_type_values[2]/"),
        value("/item_type_values[3]/[list]"),
        value("/item_type_values[4]/[object]"),
      ],
    ],
    ...[-1234, 12.5, "1234", "12a", true].map((store): [string, unknown, ExpectedError[]] => [
      `the store number ${JSON.stringify(store)}`,
      { ...search, store_nbr: store },
      [value(`/store_nbr/${String(store)}`)],
    ]),
    [
      "several wrong properties, and names all",
      { item_type: "upc", store_nbr: 1, item_type_values: ["1", "x", "2", "-3"] },
      [
        value("/item_type/upc"),
        { code: "invalid-property-length", reason: "length", property: "/store_nbr/1" },
        value("/item_type_values[1]/x"),
        value("/item_type_values[3]/-3"),
      ],
    ],
    ...[[], "text", 5, null].map((body): [string, unknown, ExpectedError[]] => [
      `the body ${JSON.stringify(body)}, which has none of the properties`,
      body,
      [missing("/item_type/"), missing("/store_nbr/"), missing("/item_type_values/")],
    ]),
  ])("refuses %s", async (_, body, errors) => {
    expectInvalid(await createCaller().search(body), "body", errors);
  });

  it("refuses a body that isn't JSON, and names no property", async () => {
    const caller = createCaller();
    const headers = { ...(await caller.headers()), "content-type": "application/json" };
    for (const body of ["", "{", '{"item_type":', "\u0000"]) {
      expectInvalid(await caller.send("/search-items", { method: "POST", headers, body }), "body", []);
    }
  });

  it("refuses more than 600 in any 60 seconds, with the time to wait, and counts events separately", async () => {
    const caller = createCaller({ tokenLifetimeSeconds: 3600 });
    const headers = await caller.headers();
    for (let call = 0; call < 600; call += 1) {
      caller.time.nowMs += 50;
      expect((await caller.search(search, headers)).status).toBe(200);
    }
    const refused = await caller.search(search, headers);
    expectGateway(refused, 429, "search");
    // The first of the 600 was 29.95 s ago.
    expect(refused.headers.get("retry-after")).toBe("31");
    expect((await caller.events(query, headers)).status).toBe(200);
  });
});

describe("GET /events", () => {
  it("refuses a page token of another query or consumer, or changed in any place", async () => {
    const caller = createCaller();
    const token = String((await caller.events(query)).body.next_page_token);
    const changed = Array.from(
      token,
      (char, place) => `${token.slice(0, place)}${char === "A" ? "B" : "A"}${token.slice(place + 1)}`,
    );
    const foreign = [
      `${query}&event_type=SALES&page_token=${token}`,
      `${query}&start_date=2026-11-14&page_token=${token}`,
      `store_nbr=100&gtin=${fixedGtin}&page_token=${token}`,
      ...changed.map((text) => `${query}&page_token=${text}`),
    ];
    const headers = await caller.headers();
    for (const each of foreign) {
      const property = `/page_token/${each.split("page_token=")[1]!}`;
      expectInvalid(await caller.events(each, headers), "query", [value(property)]);
    }
    const rival = await caller.events(`${query}&page_token=${token}`, await caller.headers("rival"));
    expectInvalid(rival, "query", [value(`/page_token/${token}`)]);
  });

  it.each<[string, ExpectedError[]]>([
    [`store_nbr=1234&store_nbr=1234&gtin=${fixedGtin}`, [value("/store_nbr/1234,1234")]],
    [
      "store_nbr=abc&event_type=5&start_date=x&end_date=2030-01-01&location_area=s&page_token=t",
      [
        value("/store_nbr/abc"),
        { code: "missing-required-property", reason: "missing", property: "/gtin/" },
        value("/event_type/5"),
        value("/start_date/x"),
        value("/end_date/2030-01-01"),
        value("/location_area/s"),
        value("/page_token/t"),
      ],
    ],
  ])("refuses %s, and names each wrong parameter", async (wrong, errors) => {
    expectInvalid(await createCaller().events(wrong), "query", errors);
  });
});
