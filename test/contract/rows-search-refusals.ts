/** What `POST /search-items` refuses beyond `conditions`. */
import { type Answer, createCaller, fixedGtin } from "./caller";
import { type Row, rowsOf } from "./rows";
import { expectGateway, expectInvalid, expectProblem } from "./shapes";

type Check = [string, () => Promise<void>];

const good = { item_type: "gtin", store_nbr: 1234, item_type_values: [fixedGtin] };

function ask(body: unknown): Promise<Answer> {
  return createCaller().search(body);
}

function value(property: string): { code: "invalid-property-value"; reason: "value"; property: string } {
  return { code: "invalid-property-value", reason: "value", property };
}

export const searchRefusalRows: Row[] = [
  ...rowsOf("400 Bad request (search-items)", [
    [
      "values that are not strings",
      async () => {
        const answer = await ask({ ...good, item_type_values: [12345678905, true, null, ["1"], { a: 1 }] });
        expectInvalid(answer, "body", [
          value("/item_type_values[0]/12345678905"),
          value("/item_type_values[1]/true"),
          { ...value("/item_type_values[2]/"), reason: "missing" },
          value("/item_type_values[3]/[list]"),
          value("/item_type_values[4]/[object]"),
        ]);
      },
    ],
    ...[-1234, 12.5, "1234", "12a", true].map((store): Check => [
      `store_nbr not a whole number of 0 or more: ${JSON.stringify(store)}`,
      async () => {
        expectInvalid(await ask({ ...good, store_nbr: store }), "body", [
          value(`/store_nbr/${String(store)}`),
        ]);
      },
    ]),
    [
      "several offenders in one request are all named",
      async () => {
        const answer = await ask({ item_type: "upc", store_nbr: 1, item_type_values: ["1", "x", "2", "-3"] });
        expectInvalid(answer, "body", [
          value("/item_type/upc"),
          { code: "invalid-property-length", reason: "length", property: "/store_nbr/1" },
          value("/item_type_values[1]/x"),
          value("/item_type_values[3]/-3"),
        ]);
      },
    ],
    ...[[], "text", 5, null].map((body): Check => [
      `a body that is no object lacks all three: ${JSON.stringify(body)}`,
      async () => {
        const answer = await ask(body);
        expectInvalid(
          answer,
          "body",
          ["item_type", "store_nbr", "item_type_values"].map((name) => ({
            code: "invalid-property-value",
            reason: "missing",
            property: `/${name}/`,
          })),
        );
      },
    ]),
    [
      "a body that is not JSON names no property",
      async () => {
        const caller = createCaller();
        const headers = { ...(await caller.headers()), "content-type": "application/json" };
        for (const body of ["", "{", '{"item_type":', "\u0000"]) {
          expectInvalid(await caller.send("/search-items", { method: "POST", headers, body }), "body", []);
        }
      },
    ],
  ]),
  ...rowsOf("Limits", [
    [
      "peak rate: 600 in any 60 seconds for each operation, then 429 with the time to wait",
      async () => {
        const caller = createCaller({ tokenLifetimeSeconds: 3600 });
        const headers = await caller.headers();
        for (let call = 0; call < 600; call += 1) {
          caller.time.nowMs += 50;
          expect((await caller.search(good, headers)).status).toBe(200);
        }
        const refused = await caller.search(good, headers);
        expectGateway(refused, 429, "search");
        expect(refused.body.details.Description).toMatch(/too many requests.*retry after some time/i);
        // The first of the 600 was 29.95 s ago.
        expect(refused.headers.get("retry-after")).toBe("31");
        expect((await caller.events(`store_nbr=1234&gtin=${fixedGtin}`, headers)).status).toBe(200);
      },
    ],
  ]),
  ...rowsOf("Other statuses (search-items)", [
    [
      "405: wrong HTTP method for the path",
      async () => {
        for (const method of ["GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]) {
          const answer = await createCaller().send("/search-items", { method });
          expectProblem(answer, 405, "invalid-request");
          expect(answer.headers.get("allow")).toBe("POST");
        }
      },
    ],
    [
      "413: a body over the limit",
      async () => {
        expectProblem(await ask({ ...good, more: "x".repeat(300_000) }), 413, "invalid-request");
      },
    ],
    [
      "415: a content type that is not JSON",
      async () => {
        const caller = createCaller();
        for (const type of ["text/plain", "application/x-www-form-urlencoded", "json"]) {
          const headers = { ...(await caller.headers()), "content-type": type };
          const answer = await caller.send("/search-items", {
            method: "POST",
            headers,
            body: JSON.stringify(good),
          });
          expectProblem(answer, 415, "invalid-request");
        }
      },
    ],
  ]),
];
