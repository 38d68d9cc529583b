/**
 * Rows on what `GET /events` refuses: the 400 and 404 tables and the other statuses. "Today" is
 * 20 November 2026, UTC, so the window is 14 to 20 November.
 */
import type { DemoDataBody } from "./bodies";
import { type Answer, createCaller, demoData, fixedGtin } from "./caller";
import { type Row, rowsOf } from "./rows";
import { expectInvalid, expectProblem } from "./shapes";

const good = `store_nbr=1234&gtin=${fixedGtin}`;

function ask(query: string): Promise<Answer> {
  return createCaller().events(query);
}

function refused(query: string, property: string): () => Promise<void> {
  return async () => {
    const answer = await ask(query);
    expectInvalid(answer, "query", [{ code: "invalid-property-value", reason: "value", property }]);
    expect(answer.body.instance.startsWith("/events?store_nbr=")).toBe(true);
  };
}

async function demoItem(pick: (item: DemoDataBody["items"][number]) => boolean): Promise<string> {
  return (await demoData()).items.find(pick)!.gtin;
}

async function expectNotFound(query: string, detail: string): Promise<void> {
  const answer = await ask(query);
  expectProblem(answer, 404, "resource-not-found");
  expect(answer.body.detail).toBe(detail);
  expect(answer.body.instance).toBe(`/events?${query}`);
}

export const eventsRefusalRows: Row[] = [
  ...rowsOf("400 Bad request (history)", [
    [
      "store_nbr missing",
      async () => {
        expectInvalid(await ask(`gtin=${fixedGtin}`), "query", [
          { code: "missing-required-property", reason: "missing", property: "/store_nbr/" },
        ]);
      },
    ],
    [
      "page_token of another query, of another consumer, or changed in any place",
      async () => {
        const caller = createCaller();
        const token = String((await caller.events(good)).body.next_page_token);
        const tampered = Array.from(
          token,
          (char, place) => `${token.slice(0, place)}${char === "A" ? "B" : "A"}${token.slice(place + 1)}`,
        );
        const strange = [
          `${good}&event_type=SALES&page_token=${token}`,
          `${good}&start_date=2026-11-14&page_token=${token}`,
          `store_nbr=100&gtin=${fixedGtin}&page_token=${token}`,
          ...tampered.map((text) => `${good}&page_token=${text}`),
        ];
        const headers = await caller.headers();
        for (const query of strange) {
          const answer = await caller.events(query, headers);
          expectInvalid(answer, "query", [
            {
              code: "invalid-property-value",
              reason: "value",
              property: `/page_token/${query.split("page_token=")[1]!}`,
            },
          ]);
        }
        const rival = await caller.events(`${good}&page_token=${token}`, await caller.headers("rival"));
        expect(rival.status).toBe(400);
      },
    ],
    [
      "a parameter given twice",
      refused(`store_nbr=1234&store_nbr=1234&gtin=${fixedGtin}`, "/store_nbr/1234,1234"),
    ],
    [
      "several offenders in one request are all named",
      async () => {
        const answer = await ask(
          "store_nbr=abc&event_type=5&start_date=x&end_date=2030-01-01&location_area=s&page_token=t",
        );
        expectInvalid(answer, "query", [
          { code: "invalid-property-value", reason: "value", property: "/store_nbr/abc" },
          { code: "missing-required-property", reason: "missing", property: "/gtin/" },
          { code: "invalid-property-value", reason: "value", property: "/event_type/5" },
          { code: "invalid-property-value", reason: "value", property: "/start_date/x" },
          { code: "invalid-property-value", reason: "value", property: "/end_date/2030-01-01" },
          { code: "invalid-property-value", reason: "value", property: "/location_area/s" },
          { code: "invalid-property-value", reason: "value", property: "/page_token/t" },
        ]);
      },
    ],
  ]),
  ...rowsOf("404 Not found (history)", [
    [
      "unknown path: Requested resource does not exist",
      async () => {
        for (const path of ["/", "/event", "/events/", "/search-items/1", "/__proto__", "/constructor"]) {
          const answer = await createCaller().send(path);
          expectProblem(answer, 404, "resource-not-found");
          expect(answer.body.detail).toBe("Requested resource does not exist");
        }
      },
    ],
    [
      "no data for the request: an unknown store",
      async () => {
        const detail = "Data not found. At least one of the given request parameters is invalid.";
        await expectNotFound(`store_nbr=9999&gtin=${fixedGtin}`, detail);
      },
    ],
    [
      "GTIN not mapped to the supplier",
      async () => {
        const rival = await demoItem((item) => item.supplier_name.startsWith("Rival"));
        for (const gtin of [rival, "00000000000017"]) {
          await expectNotFound(
            `store_nbr=1234&gtin=${gtin}`,
            "The requested GTIN is not mapped to the Supplier.",
          );
        }
      },
    ],
    [
      "no data for the GTIN and store combination",
      async () => {
        const gtin = await demoItem(
          (item) =>
            item.supplier_name.startsWith("Demo") &&
            item.stores_without_data.includes(1234) &&
            item.stores_without_data.length < 40,
        );
        await expectNotFound(
          `store_nbr=1234&gtin=${gtin}`,
          "Data not found for the given request parameters.",
        );
      },
    ],
    [
      "GTIN invalid or without data",
      async () => {
        const nowhere = await demoItem((item) => item.stores_without_data.length >= 40);
        for (const gtin of ["00000000000018", nowhere]) {
          await expectNotFound(`store_nbr=1234&gtin=${gtin}`, "No data found. Invalid GTIN");
        }
      },
    ],
  ]),
];
